"""A test server with Gemini's REST API that returns scripted answers. Every request and its response are recorded."""
