"""Pictures of results, by matplotlib. Protocols declare what a picture needs, so that results can draw themselves."""
