"""The measures of lull, one module for each. A measure prints one JSON object on its last line."""
