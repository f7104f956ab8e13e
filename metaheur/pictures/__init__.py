"""Pictures of results, by matplotlib: what they need is said by protocols, so that results can draw themselves."""
