"""A warm bank behind a local socket."""
