"""The campaign against the team server: load, kills, dropped connections, a full disk, a replica that takes over."""
