"""What the bench of recall is made of: long conversations with questions, written and asked as production does."""
