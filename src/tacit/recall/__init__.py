"""From a prompt to the few lines worth saying: distil, rank, abstain, inject."""
