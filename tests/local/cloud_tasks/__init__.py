"""Tests of the local Cloud Tasks, through the official client and its own control API."""
