"""From bytes to notes and back, without loss and without touching the disk."""
