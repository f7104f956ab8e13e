"""The command line: a verb a file. What a verb needs is imported when it is asked for."""
