"""What can be rebuilt from the notes: the search contract and the backends that keep it."""
