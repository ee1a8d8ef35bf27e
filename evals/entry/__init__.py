"""What refresh does to real memory banks: nothing is lost, users' blocks stay, a second run changes nothing."""
