"""Spending: how money and messages are lent to chats, reserved before each call of a model, and settled after it."""
