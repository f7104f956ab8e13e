"""How a walk leaves a local optimum."""
