"""Prompting: what the model is shown of an agent, a chat and a conversation for one plan."""
