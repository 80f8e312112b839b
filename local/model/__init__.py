"""A server of the local model's API. It runs a small model itself, or passes calls on to a model server that is already
running.
"""
