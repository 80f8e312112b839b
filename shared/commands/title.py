"""/title: shows or sets the title of the conversation."""

from shared.commands.command import Audience, Command, CommandRequest, CommandResponse, verbatim, visible

#: the maximum characters; longer titles are hard to read at a glance
LONGEST_TITLE = 80


def respond(request: CommandRequest) -> CommandResponse:
    """Return the title, or the response that sets it to the argument."""
    wanted, current, words = visible(request.argument), request.chat.talk.conversation_title, request.words
    if not wanted and not current:
        return CommandResponse(text=words.say("title.none"))
    if not wanted:
        return CommandResponse(text=words.say("title.current", title=verbatim(current)))
    if len(wanted) > LONGEST_TITLE:
        return CommandResponse(text=words.say("command.too_long", count=len(wanted), most=LONGEST_TITLE))
    text = words.say("title.set", title=verbatim(wanted))
    return CommandResponse(text=text, changes={"conversation_title": wanted})


COMMAND = Command(
    name="title",
    order=80,
    takes_argument=True,
    audience=Audience.ADMINISTRATORS,
    respond=respond,
)
