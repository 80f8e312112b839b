"""Parts of the recall measure: long conversations with questions, which are stored and searched as in production."""
