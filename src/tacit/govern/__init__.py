"""From a payload to a decision, without ever writing: map, score, compare, decide, gate."""
