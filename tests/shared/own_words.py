"""What lull says of itself in English, for tests to expect."""

from typing import Final

from shared.wording.words import words_in

ENGLISH: Final = words_in("en")

STOPPED: Final = ENGLISH.say("stop.stopped")
NOTHING_TO_STOP: Final = ENGLISH.say("stop.nothing")
