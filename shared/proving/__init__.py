"""The pure part of proving a deployment: what an answer means, in a sentence."""
