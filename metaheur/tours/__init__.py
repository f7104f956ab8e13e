"""A tour whose edges are exchanged, and its partition into subtours."""
