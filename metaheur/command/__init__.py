"""The command line: a verb a file. The modules that a verb needs are imported when the verb is used."""
