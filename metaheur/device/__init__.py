"""Devices: C++ halves become translation units, compiled for the CPU and the GPU."""
