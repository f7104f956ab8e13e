"""Tables of published papers, made again: a file a paper."""
