"""OpenAI's protocol in front of the scripted model, so that one script serves tests of both adapters."""
