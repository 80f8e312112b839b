"""The rim: each adapter serves one port with one official client and translates its errors."""
