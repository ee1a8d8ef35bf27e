"""The index in PostgreSQL with pgvector: many banks in one database, each seeing only its own rows."""
