"""What this computer is and does: its cache folder, memory, clock and counters."""
