"""/title: what the conversation is called."""

from shared.commands.command import Command, CommandRequest, CommandResponse, verbatim, visible

#: in characters; longer ones are not read at a glance
LONGEST_TITLE = 80

UNTITLED = "This conversation has no title yet. Write one behind /title to give it one."


def respond(request: CommandRequest) -> CommandResponse:
    """The title that a person gave the conversation, or gives it now."""
    wanted, current = visible(request.argument), request.chat.conversation_title
    if not wanted:
        return CommandResponse(text=f"This conversation is called {verbatim(current)}." if current else UNTITLED)
    if len(wanted) > LONGEST_TITLE:
        return CommandResponse(text=f"That title has {len(wanted)} characters; there is room for {LONGEST_TITLE}.")
    return CommandResponse(
        text=f"This conversation is now called {verbatim(wanted)}.", changes={"conversation_title": wanted}
    )


COMMAND = Command(
    name="title",
    order=80,
    descriptions={
        "en": "Show or set the conversation's title",
        "de": "Den Titel des Gesprächs zeigen oder setzen",
        "uk": "Показати або задати назву розмови",
    },
    usage="/title [text]",
    for_administrators=True,
    respond=respond,
)
