"""Layers and working memory of a task: start, note, finish, archive."""
