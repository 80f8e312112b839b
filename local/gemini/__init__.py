"""A test server of Gemini's REST API that returns scripted answers. Every request and its response are recorded."""
