"""From text to findings: secrets, personal data, injected instructions, deceptive Unicode."""
