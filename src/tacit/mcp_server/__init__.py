"""The MCP door to the bank: thin, typed tools, resources and prompts."""
