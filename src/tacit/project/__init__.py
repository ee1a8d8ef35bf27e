"""Read-only looks at the user's project, handed on as values."""
