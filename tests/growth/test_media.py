"""One more kind of media is one row in each table of kinds, and a row in a test."""

from tests.growth.scratch import Changes, Growth, Scratch

KINDS, CONTENT = "shared/values/media.py", "shared/telegram/inbound/content.py"
PROMPTED, DESCRIBED = "shared/planning/prompt/media.py", "shared/media/description_prompt.py"
SHOWN, TEST = "shared/values/capabilities.py", "tests/shared/telegram/inbound/test_content.py"
#: file, an existing line, and the line to put before it; the field is one of the Bot API that lull does not read yet
ROWS = (
    (KINDS, '    DOCUMENT = "document"\n', '    HOLOGRAM = "hologram"\n'),
    (
        CONTENT,
        '    ContentKind(field="game", words=_with_title("a game"), is_from_elsewhere=True),\n',
        '    ContentKind(field="suggested_post_info", words=_with_title("a hologram"), media="hologram"),\n',
    ),
    (
        PROMPTED,
        '    MediaKind.DOCUMENT: MediaWording("file", "a file", taken_in="open", shows=", which holds: "),\n',
        '    MediaKind.HOLOGRAM: MediaWording("hologram", "a hologram", has_length=True),\n',
    ),
    (DESCRIBED, '    MediaKind.DOCUMENT: "a document",\n', '    MediaKind.HOLOGRAM: "a hologram",\n'),
    (SHOWN, "    MediaKind.VOICE: InputKind.SOUND,\n", "    MediaKind.HOLOGRAM: InputKind.FILMS,\n"),
    (
        TEST,
        '        ("game", {"title": "Chess"}, "a game: Chess"),\n',
        '        ("suggested_post_info", {"title": "Rain"}, "a hologram: Rain"),\n',
    ),
)
#: the kind has words, a typing status, an apology, its file, a description, and a place in a prompt
PROBE = """
from shared.media.description_prompt import describing_prompt
from shared.planning.prompt.media import media_text
from shared.telegram.inbound.entries import entry_of
from shared.telegram.inbound.media import media_refs_of
from shared.telegram.inbound.urgency import awaits_answer, wants_typing
from shared.values.capabilities import InputKind, expected_input_kind
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind
from shared.values.message import Message
from shared.values.prepared import NO_FACTS, PreparedPart
from tests.shared.examples import BOT_ID, message_update, update_of

FOUND = {"title": "Rain", "file_id": "f1", "file_unique_id": "u1", "duration": 7}


def test_it_is_a_message_that_somebody_says_and_a_file_that_is_described() -> None:
    raw = message_update(7, suggested_post_info=FOUND)
    raw["message"].pop("text", None)
    update = update_of(raw)
    entry = entry_of(update, BOT_ID)
    assert isinstance(entry, Message)
    assert (entry.media, entry.is_service) == ("a hologram: Rain", False)
    assert wants_typing(update.envelope, update.raw)
    assert awaits_answer(update, ("lull",), BOT_ID)
    (ref,) = media_refs_of(raw["message"])
    assert (ref.kind, ref.unique_id) == (MediaKind("hologram"), "u1")
    assert expected_input_kind(ref.kind, ref.mime_type) is InputKind.FILMS
    prompt = describing_prompt(ref, [PreparedPart("video/mp4", b"film")], NO_FACTS)
    assert "a hologram" in str(prompt)
    known = evolve(ref, description=Description(outcome=DescriptionOutcome.DESCRIBED, shows="It rains."))
    assert "It rains." in media_text(evolve(entry, media_refs=(known,)))
"""


TESTS = (
    TEST,
    "tests/shared/telegram/inbound/test_urgency.py",
    "tests/shared/telegram/inbound/test_media.py::test_every_kind_of_file_is_a_row",
    "tests/shared/planning/prompt/test_media.py::test_every_kind_is_a_row",
    "tests/shared/media/test_description_prompt.py",
)


def _add(scratch: Scratch) -> None:
    for file, before, added in ROWS:
        scratch.edits(file, before, added + before)


GROWTH = Growth(add=_add, path="tests/shared/telegram/test_probe.py", probe=PROBE, tests=TESTS)


def test_a_kind_of_media_is_a_row_of_each_table(changes: Changes) -> None:
    assert changes[GROWTH.path] == sorted((KINDS, CONTENT, PROMPTED, DESCRIBED, SHOWN, TEST))
