"""What a note is: pure values, no disk and no clock."""
