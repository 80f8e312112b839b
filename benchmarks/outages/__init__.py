"""What makes a server slow, refusing or gone while lull runs on, and what tells afterwards whom it answered."""
