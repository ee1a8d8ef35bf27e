"""Notes on disk: the source of truth, changed in transactions that survive a crash at any instruction."""
