"""One file per host: where its configuration lives, how its hooks speak; plus the skills we ship."""
