"""The team server: many banks and users over one shared index."""
