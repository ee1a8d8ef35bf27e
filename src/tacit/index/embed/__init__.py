"""Models that turn text into vectors, behind one port."""
