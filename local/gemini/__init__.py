"""A test server of Gemini's REST API that returns scripted answers. Every exchange is recorded."""
