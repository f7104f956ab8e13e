"""Changes of cost that are derived from a cost."""
