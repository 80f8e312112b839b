"""Outages of servers while lull runs (slow, refusing, gone), and the check afterwards of who was answered."""
