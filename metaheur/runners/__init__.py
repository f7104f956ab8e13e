"""Who advances walks: by steps in Python, resident on a device, in rounds, one after the other."""
