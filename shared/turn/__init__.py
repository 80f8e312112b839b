"""Turn: the steps from people's messages to the agent's answer."""
