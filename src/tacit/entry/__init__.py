"""The entry document and its details: blocks, routing, refresh, context pack, drift."""
