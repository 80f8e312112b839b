"""Attacks on lull by text from outside (text that no participant of the chat wrote). The scripted model obeys every
attack; then the damage is counted.
"""
