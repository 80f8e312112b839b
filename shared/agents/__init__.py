"""The agents: personas and prompts, read from markdown files."""
