"""The C++ that every unit begins with."""
