from local.gemini.engine import SavedState
from local.gemini.slot import FEW_TOKENS, Slot, common

#: two chats with one agent, and one with another
PERSONA = tuple(range(100))
ANN, BOB = (*PERSONA, *range(1_000, 1_050)), (*PERSONA, *range(2_000, 2_050))
MOSS = tuple(range(500, 600))
BYTES_PER_TOKEN = 10


class Memory:
    """An engine's memory without a model; `read` counts the tokens that a prompt costs."""

    def __init__(self) -> None:
        self.holds: tuple[int, ...] = ()
        self.files: dict[str, bytes] = {}
        self.saved: dict[str, tuple[int, ...]] = {}
        self.refuses = False

    def read(self, tokens: tuple[int, ...], most: int | None = None) -> int:
        new = len(tokens) - common(self.holds, tokens)
        self.holds = tokens[:most]
        return new

    async def save(self, name: str) -> SavedState | None:
        self.saved[name], self.files[name] = self.holds, bytes(len(self.holds) * BYTES_PER_TOKEN)
        return SavedState(tokens=len(self.holds), size=len(self.files[name]))

    async def restore(self, name: str) -> bool:
        if self.refuses:
            return False
        self.holds = self.saved[name]
        return True

    def take(self, name: str) -> bytes:
        return self.files[name]

    def give(self, name: str, state: bytes) -> None:
        self.files[name], self.saved[name] = state, tuple(state)

    def discard(self, name: str) -> None:
        self.files.pop(name)


async def read(slot: Slot, engine: Memory, tokens: tuple[int, ...]) -> int:
    """Count the tokens of a prompt that the engine had to read."""
    await slot.begin(tokens)
    new = engine.read(tokens)
    slot.finish()
    return new


async def test_chats_in_turn_read_nothing_twice() -> None:
    engine = Memory()
    slot = Slot(engine)
    assert [await read(slot, engine, prompt) for prompt in (ANN, BOB, MOSS)] == [150, 50, 100]
    assert [await read(slot, engine, prompt) for prompt in (ANN, MOSS, BOB)] == [0, 0, 0]
    assert await read(slot, engine, (*ANN, 7, 8)) == 2


async def test_a_prompt_that_goes_on_takes_the_place_of_what_it_was() -> None:
    engine = Memory()
    slot = Slot(engine)
    for length in (120, 130, 150):
        await read(slot, engine, ANN[:length])
        await read(slot, engine, MOSS)
    assert [len(engine.saved[name]) for name in engine.files] == [100, 150]


async def test_a_few_tokens_are_read_again_sooner_than_a_state_is_moved() -> None:
    engine = Memory()
    slot = Slot(engine)
    await read(slot, engine, (*PERSONA, *range(900, 900 + FEW_TOKENS)))
    await read(slot, engine, PERSONA)
    assert engine.saved == {}


async def test_of_a_prompt_that_was_broken_off_what_was_read_is_known() -> None:
    engine = Memory()
    slot = Slot(engine)
    await slot.begin(ANN)
    engine.read(ANN, most=30)
    assert await slot.begin(MOSS) == 0
    engine.read(MOSS)
    slot.finish()
    assert slot.known(ANN) == 30
    assert await slot.begin(ANN) == 30


async def test_the_states_that_were_unused_for_longest_go() -> None:
    engine = Memory()
    slot = Slot(engine, max_bytes=260 * BYTES_PER_TOKEN)
    for prompt in (ANN, MOSS, BOB, MOSS):
        await read(slot, engine, prompt)
    assert slot.known(ANN) == len(PERSONA)
    assert slot.known(BOB) == len(BOB)
    assert sum(map(len, engine.files.values())) <= 260 * BYTES_PER_TOKEN


async def test_a_state_goes_out_and_is_adopted_again() -> None:
    engine = Memory()
    slot = Slot(engine)
    await read(slot, engine, PERSONA)
    state = await slot.state()
    assert state
    assert len(state) == len(PERSONA) * BYTES_PER_TOKEN
    later = Slot(engine)
    later.adopt(PERSONA, bytes(PERSONA))
    assert later.known(ANN) == len(PERSONA)
    assert await read(later, engine, ANN) == 50


async def test_a_state_that_the_engine_refuses_is_forgotten() -> None:
    engine = Memory()
    slot = Slot(engine)
    slot.adopt(PERSONA, bytes(PERSONA))
    engine.refuses = True
    assert await slot.begin(ANN) == 0
    assert engine.files == {}
