"""When something is to happen: civil times, recurrences, what a model proposed, and how it is said."""
