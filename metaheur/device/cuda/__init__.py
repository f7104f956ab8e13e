"""Units on an NVIDIA GPU, through CuPy."""
