"""The measures of lull: one module each, which prints one JSON object on its last line."""
