"""Serves OpenAI's protocol with the scripted model of `local/gemini`. So the same scripted answers test both of lull's
model adapters: that for Gemini's API and that for OpenAI's protocol.
"""
