"""From talk or a project to payloads: recognise, extract, scan."""
