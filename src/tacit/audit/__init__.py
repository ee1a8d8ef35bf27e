"""The operation log: what changed, who asked for it and who confirmed it."""
