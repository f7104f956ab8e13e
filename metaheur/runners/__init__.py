"""Runners, which advance walks: by steps in Python, resident on a device, in rounds, in generations."""
