"""Valid markdown of every kind, with unique words."""

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

INLINE = ("{}", "**{}**", "*{}*", "~~{}~~", "`{}`", "[{}](http://a.b/c)", "***{}***", "**{} `{}`**", "{} *{}* {}",
    "<b>{}</b>", "<u>**{}**</u> {}", "**{} 。**你 {}", "$x_1$ {}", "<i>{} **{}</i> {}**",
)  # fmt: skip
#: how deep lists and quotes hold each other
DEEPEST = 3


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Generate markdown, with its words in visible order."""
    author = _Author(draw)
    return "\n".join(author.blocks(0)), author.words


class _Author:
    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.words: list[str] = []

    def word(self) -> str:
        self.words.append(f"w{len(self.words)}w")
        return self.words[-1]

    def inline(self) -> str:
        frames = self.draw(st.lists(st.sampled_from(INLINE), min_size=1, max_size=3))
        return " ".join(frame.format(*(self.word() for _ in range(frame.count("{}")))) for frame in frames)

    def several(self, make: Callable[[], Sequence[str]], between: Sequence[str] = ()) -> list[str]:
        made = [make() for _ in range(self.draw(st.integers(1, 3)))]
        return [line for i, lines in enumerate(made) for line in (*(between if i else ()), *lines)]

    def blocks(self, depth: int) -> list[str]:
        kinds = [self.paragraph, self.heading, self.code, self.table]
        nested = [lambda: self.quote(depth), lambda: self.items("- ", depth), lambda: self.items("1. ", depth)]
        choice = st.sampled_from(kinds + nested if depth < DEEPEST else kinds)
        return self.several(lambda: self.draw(choice)(), between=[""])

    def paragraph(self) -> list[str]:
        return self.several(lambda: [self.inline()])

    def heading(self) -> list[str]:
        return [f"## {self.inline()}"]

    def code(self) -> list[str]:
        return ["```py", self.word(), f"    {self.word()}", "", self.word(), "```"]

    def table(self) -> list[str]:
        return [f"| {self.inline()} | {self.inline()} |", "|---|---|", f"| {self.word()} | {self.word()} |"]

    def quote(self, depth: int) -> list[str]:
        return [f"> {line}".rstrip() for line in self.blocks(depth + 1)]

    def items(self, mark: str, depth: int) -> list[str]:
        return self.several(lambda: self.item(mark, depth))

    def item(self, mark: str, depth: int) -> list[str]:
        first = mark + self.inline()
        if self.draw(st.booleans()):
            return [first]
        gap = self.draw(st.sampled_from([[], [""]]))
        return [first, *gap, *(f"{' ' * len(mark)}{line}".rstrip() for line in self.blocks(depth + 1))]
