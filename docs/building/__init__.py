"""The extension of Sphinx that builds the site."""
