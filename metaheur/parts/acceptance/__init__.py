"""Which moves a walk makes: acceptance criteria, their cooling and schedules."""
