"""Which neighborhood or move comes next, and when a search gives up."""
