"""The way to the daemon: where its socket is, how messages are framed, how it is started on demand."""
