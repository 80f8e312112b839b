"""What lull says of itself in English, for tests to expect."""

from typing import Final

from shared.wording.words import words_in

ENGLISH: Final = words_in("en")

STOPPED: Final = ENGLISH.say("stop.stopped")
NOTHING_TO_STOP: Final = ENGLISH.say("stop.nothing")
ALREADY_HERE: Final = ENGLISH.say("resume.already")
AMONG_OTHERS: Final = ENGLISH.say("start.among_others")
BEGUN: Final = ENGLISH.say("new.begun")
FORGOTTEN: Final = ENGLISH.say("pronouns.forgotten")
HAS_ANOTHER: Final = ENGLISH.say("claim.has_another")
HOW_TO_CLAIM: Final = ENGLISH.say("claim.usage")
HOW_TO_MUTE: Final = ENGLISH.say("mute.usage")
IS_OWNER: Final = ENGLISH.say("claim.is_owner")
LISTED: Final = ENGLISH.say("conversations.listed")
NEWER: Final = ENGLISH.say("conversations.newer")
NONE_YET: Final = ENGLISH.say("conversations.none")
NOT_HERE: Final = ENGLISH.say("claim.not_here")
NOT_MUTED: Final = ENGLISH.say("unmute.not_muted")
NOT_OFFERED: Final = ENGLISH.say("button.others")
NOT_SENT: Final = ENGLISH.say("apology.not_sent")
NOT_TOLD: Final = ENGLISH.say("claim.setup_unknown")
NO_BUTTON: Final = ENGLISH.say("button.gone")
NO_CONVERSATION: Final = ENGLISH.say("resume.gone")
NO_MODEL: Final = ENGLISH.say("apology.no_model")
NO_MODEL_ANY_MORE: Final = ENGLISH.say("model.gone")
NO_PLAN: Final = ENGLISH.say("apology.no_plan")
NO_PRONOUNS: Final = ENGLISH.say("pronouns.unknown")
NO_TITLE: Final = ENGLISH.say("title.none")
OLDER: Final = ENGLISH.say("conversations.older")
OTHER_CONVERSATION: Final = ENGLISH.say("button.other_conversation")
UNMUTED: Final = ENGLISH.say("unmute.done")
UNREADABLE: Final = ENGLISH.say("apology.unreadable")
UNTITLED: Final = ENGLISH.say("conversations.untitled")
WRONG_CODE: Final = ENGLISH.say("claim.wrong_code")
