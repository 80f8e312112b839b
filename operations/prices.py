"""Prices in US dollars, and the amounts that are free of charge each month."""

from shared.values.usage import PRICES as GEMINI_PRICES

#: prices of the default planning model, until the end of 2026
GEMINI = GEMINI_PRICES["gemini-3.8-flash"][0]
#: prices of the model that judges, describes files, and makes notes of conversations
JUDGE = GEMINI_PRICES["gemini-3.5-flash-lite"][0]
EMBEDDING = GEMINI_PRICES["gemini-embedding-2"][0]
#: Prices for one unit in US dollars, as of 2026-11-21, in us-central1: cloud.google.com/pricing/list
PRICES = {
    "request": 0.40e-6,
    "vcpu_s": 24e-6,
    "gib_s": 2.5e-6,
    "task": 0.40e-6,
    "read": 0.03e-5,
    "write": 0.09e-5,
    "delete": 0.01e-5,
    "gib_kept": 0.15,
    "schedule": 0.10,
    "secret": 0.06,
    "gib_logged": 0.50,
    "token_in": GEMINI.prompt / 1e6,
    "token_cached": GEMINI.cached / 1e6,
    "token_out": GEMINI.output / 1e6,
    "judge_in": JUDGE.prompt / 1e6,
    "judge_out": JUDGE.output / 1e6,
    "embedded": EMBEDDING.prompt / 1e6,
    "notes_in": JUDGE.prompt / 1e6,
    "notes_out": JUDGE.output / 1e6,
}
#: Prices for optional features, and for storage that adds up: Firestore's backups and point-in-time recovery
#: (estimated), Cloud Storage for an archive and for media. Google announced two prices for a condition of an alert (the
#: later one first) and postponed them more than once; neither was verified.
MORE_PRICES = {
    "gib_backed_up": 0.03,
    "gib_recoverable": 0.15,
    "gib_stored": 0.020,
    "gib_sent": 0.12,
    "file": 5e-6,
    "file_read": 0.4e-6,
    "series": 0.35e-6,
}
CONDITION_PRICES = (0.10, 1.50)
#: Free amounts each month, in the same units. Firestore's are daily (50,000 reads, 20,000 writes, 20,000 deletes), and
#: deletions by TTL are not free.
FREE = {
    "request": 2e6,
    "vcpu_s": 180e3,
    "gib_s": 360e3,
    "task": 1e6,
    "read": 50e3 * 30,
    "write": 20e3 * 30,
    "gib_kept": 1,
    "schedule": 3,
    "secret": 6,
    "gib_logged": 50,
}
