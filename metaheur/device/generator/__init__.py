"""The kernel generator: components, layouts and shells become one translation unit."""
