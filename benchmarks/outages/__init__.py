"""Outages of servers while lull runs: servers that are slow, refuse or are gone. Afterwards, checks find who was
answered.
"""
