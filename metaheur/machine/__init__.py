"""The computer that runs metaheur: its cache folder, memory, processors, clock and counters."""
