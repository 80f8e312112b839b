"""Spelling: how a plan is written, in JSON or markdown, by models and for them; and reading whatever they wrote.

Nobody is asked here and nothing is decided: prompts, drafts and the guard write and read as the planner does.
"""
