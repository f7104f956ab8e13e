"""Units on a CPU: the C++ compiler, its libraries, and their threads."""
