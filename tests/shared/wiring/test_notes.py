"""The parts of noting, put together in an interpreter of their own."""

from tests.shared.wiring.program import SUMMARIZE, run

MADE = """
import asyncio
from shared.wiring.notes import noter
from shared.wiring.summarize import SETTINGS

async def main() -> None:
    made = noter(SETTINGS)
    print(made.model, len(made.models.by_name), made.room, sorted(made.zones))

asyncio.run(main())
"""


def test_it_is_made_of_its_settings() -> None:
    done = run(MADE, SUMMARIZE)
    assert done.stderr == ""
    assert done.stdout == "gemini-3.5-flash-lite 1 24000 ['librarian', 'lull', 'moss', 'tutor']\n"


def test_where_nobody_notes_there_is_no_model() -> None:
    done = run(MADE, SUMMARIZE | {"LULL_NOTES_MODEL": "no", "LULL_NOTES_TOKENS": "2000"})
    assert done.stdout == " 0 4000 ['librarian', 'lull', 'moss', 'tutor']\n"
