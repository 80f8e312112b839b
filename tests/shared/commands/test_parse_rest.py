"""The arguments of commands."""

from shared.base.text import Entity, EntityType
from shared.commands.parse import command_alone, rest_alone
from tests.shared.examples import said

BOLD = Entity(EntityType.BOLD, 10, 2)


def test_command_and_words_are_two_messages() -> None:
    message = said("/new: 🌻🌻 *x* ok", entities=(Entity(EntityType.BOT_COMMAND, 0, 4), BOLD))
    assert (command_alone(message).text, len(command_alone(message).entities)) == ("/new", 1)
    rest = rest_alone(message)
    assert rest.text == "🌻🌻 *x* ok"
    assert [entity.text_in(rest.text) for entity in rest.entities] == [BOLD.text_in(message.text)]
