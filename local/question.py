"""Questions at the terminal before the local cloud starts."""

from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Console
from rich.prompt import Confirm, IntPrompt
from rich.text import Text

from local.options import CannotStart

#: the most choices in a list; the first lines of a longer list would scroll off the screen
LONGEST_LIST = 15


def asked_of_a_person(console: Console, offered: Sequence[str]) -> int:
    """Let a person choose from the list `offered`, and return the index of the choice. Raises CannotStart if the person
    ends the input instead.
    """
    console.print(
        "Without a Gemini key a local model answers. Choose one (LULL_LOCAL_MODEL=ask lets you choose again):",
        markup=False,
    )
    lines = [Text(f"  {number:>{len(str(len(offered)))}}  {name}") for number, name in enumerate(offered, 1)]
    if len(lines) > LONGEST_LIST:
        console.print(Columns(lines, column_first=True))
    else:
        for line in lines:
            console.print(line, soft_wrap=True)
    try:
        return _number(len(offered), console) - 1
    except EOFError:
        console.print()
        raise CannotStart("Nothing was chosen. `LULL_LOCAL_MODEL=small make dev` starts without asking.") from None


def ask_for_consent(console: Console, question: str) -> bool:
    """Ask a person a question, and return whether the answer is yes. The end of input and Ctrl-C mean no."""
    try:
        return Confirm.ask(question, console=console, default=False)
    except (EOFError, KeyboardInterrupt):
        console.print()
        return False


def _number(most: int, console: Console) -> int:
    while True:
        number = IntPrompt.ask(f"Which, 1 to {most}", console=console, default=1)
        if 1 <= number <= most:
            return number
        console.print(f"{number} is not in the list. Enter a number from 1 to {most}.", style="red")
