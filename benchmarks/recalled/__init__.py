"""Parts of the recall measure: long conversations with questions, written and searched as in production."""
