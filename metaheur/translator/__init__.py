"""Compiled Python: methods of scalar Python become the C++ half of a problem, a neighborhood, a move or a part."""
