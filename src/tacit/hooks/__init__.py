"""From a host's event on stdin to the bank's answer on stdout: fast, and never failing the host."""
