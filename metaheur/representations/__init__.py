"""The C++ halves of representations."""
