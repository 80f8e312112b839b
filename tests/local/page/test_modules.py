"""The page's modules without effects, tested in the browser."""

from typing import Any

from local.telegram.clips import clip_of
from tests.local.page.acted_bot import ActedBot, entity
from tests.local.page.visitor import Visitor
from tests.media_files import ogg_crc


def flat(nodes: list[Any]) -> str:
    """Write a tree as text: <type>…</type> around the text of an entity."""
    return "".join(
        node if isinstance(node, str) else f"<{node['entity']['type']}>{flat(node['children'])}</>" for node in nodes
    )


async def test_entities_nest_cross_and_count_in_utf16(visitor: Visitor) -> None:
    async def tree(text: str, *entities: dict[str, Any]) -> str:
        return flat(await visitor.part("entities", "m.toTree(a[0], a[1])", text, list(entities)))

    assert await tree("a 👩‍🚀 bold", entity("a 👩‍🚀 bold", "bold", "bold")) == "a 👩‍🚀 <bold>bold</>"
    assert await tree("both", entity("both", "both", "bold"), entity("both", "both", "italic")) == (
        "<bold><italic>both</></>"
    )
    crossing = (
        {"type": "bold", "offset": 0, "length": 4},
        {"type": "italic", "offset": 2, "length": 4},
    )
    assert await tree("abcdef", *crossing) == "<bold>ab<italic>cd</></><italic>ef</>"
    inside = ({"type": "bold", "offset": 0, "length": 3}, {"type": "blockquote", "offset": 0, "length": 3})
    assert await tree("abc", *inside) == "<blockquote><bold>abc</></>"
    assert await tree("abc", {"type": "bold", "offset": 2, "length": 99}) == "ab<bold>c</>"
    assert await tree("abc", {"type": "bold", "offset": 9, "length": 1}) == "abc"


async def test_only_harmless_addresses_become_links(visitor: Visitor) -> None:
    given = [
        "javascript:alert(1)",
        "data:text/html,x",
        "example.org/a",
        "https://example.org",
        "tg://user?id=1",
        "http://",
    ]
    links = await visitor.part("entities", "a[0].map(m.safeHref)", given)
    assert links == [None, None, "https://example.org/a", "https://example.org/", "tg://user?id=1", None]


async def test_markdown_of_a_message_is_what_a_person_types(visitor: Visitor) -> None:
    text = "bold code struck\nx = 1"
    entities = [
        entity(text, "bold", "bold"),
        entity(text, "code", "code"),
        entity(text, "struck", "strikethrough"),
        entity(text, "x = 1", "pre", language="python"),
    ]
    typed = await visitor.part("entities", "m.toMarkdown(a[0], a[1])", text, entities)
    assert typed == "**bold** `code` ~~struck~~\n```python\nx = 1\n```"


async def test_a_graph_stands_in_layers_and_survives_circles(visitor: Visitor) -> None:
    def task(id_: str, *after: str) -> dict[str, Any]:
        return {"id": id_, "depends_on": list(after)}

    graph = [task("a"), task("b", "a"), task("c", "a"), task("d", "b", "c", "gone")]
    found = await visitor.part("layers", "m.layout(a[0])", graph)
    heights = {box["task"]["id"]: box["y"] for box in found["boxes"]}
    assert heights["a"] < heights["b"] == heights["c"] < heights["d"]
    assert [(each["from"], each["to"]) for each in found["arrows"]] == [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")]
    circle = await visitor.part("layers", "m.layout(a[0]).boxes.length", [task("a", "b"), task("b", "a")])
    assert circle == 2


async def test_the_state_follows_events_in_any_number(visitor: Visitor) -> None:
    def event(seq: int, type_: str, **fields: Any) -> dict[str, Any]:
        return {"seq": seq, "type": type_, **fields}

    def message(id_: int, text: str) -> dict[str, Any]:
        return {"message_id": id_, "chat": "g1", "from": 5, "topic_id": None, "text": text}

    events = [
        event(1, "typing", chat="g1", topic_id=None, **{"from": 5}, action="typing", until=10),
        event(2, "message", message=message(2, "two")),
        event(3, "message", message=message(1, "one")),
        event(4, "message", message=message(1, "one")),
        event(5, "edit", message=message(2, "deux")),
        event(6, "delete", chat="g1", message_id=1),
        event(7, "something-new", whatever=1),
    ]
    start = {"seq": 0, "messages": {}, "typing": {}, "drafts": {}}
    fold = "a[0].reduce((state, event) => ({ ...state, ...m.reduce(state, event) }), a[1])"
    state = await visitor.module("reduce", fold, events, start)
    assert [each["text"] for each in state["messages"]["g1"]] == ["deux"]
    assert state["typing"] == {}
    assert state["seq"] == 7


async def test_a_search_is_told_from_the_plans_own_calls_with_what_it_found(visitor: Visitor) -> None:
    own, search = {"request": '{"contents": []}'}, {"request": '{"tools": [{"google_search": {}}]}'}
    exchanges = [own, search, search, own]
    assert await visitor.part("exchange", "[0, 1, 9].map((n) => m.placeOf(a[0], n))", exchanges) == [0, 3, 3]
    assert await visitor.part("exchange", "m.placeOf([], 0)") == 0
    page = {"uri": "https://tea.example/", "title": "Tea"}
    metadata = {"webSearchQueries": ["tea"], "groundingChunks": [{"web": page}, {"web": {"title": "no address"}}]}
    answer = {"candidates": [{"content": {"parts": [{"text": "Hot."}]}, "groundingMetadata": metadata}]}
    found = await visitor.part("exchange", "m.partsOf(a[0]).grounding", answer)
    assert found == {"queries": ["tea"], "pages": [page]}


async def test_what_openais_protocol_says_is_shown_as_geminis(visitor: Visitor) -> None:
    picture = {"type": "image_url", "image_url": {"mimeType": "image/png", "size": 5, "sha256": "ab"}}
    call = {"id": "1", "function": {"name": "calculate", "arguments": '{"sum": "2+2"}'}}
    messages = [
        {"role": "system", "content": "You are lull."},
        {"role": "user", "content": [picture, {"type": "text", "text": "hi"}]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "4"},
    ]
    asked = await visitor.part("openai_exchange", "m.requestOf(a[0])", {"messages": messages, "max_tokens": 9})
    assert asked["systemInstruction"] == {"parts": [{"text": "You are lull."}]}
    assert [turn["role"] for turn in asked["contents"]] == ["user", "model", "user"]
    file, text = asked["contents"][0]["parts"]
    assert (file["inlineData"]["size"], text) == (5, {"text": "hi"})
    assert asked["contents"][1]["parts"] == [{"functionCall": {"name": "calculate", "args": {"sum": "2+2"}}}]
    assert asked["generationConfig"] == {"max_tokens": 9}
    pieces: list[dict[str, Any]] = [{"content": "Hel"}, {"content": "lo"}, {"tool_calls": [{"index": 0, **call}]}]
    chunks = [{"choices": [{"delta": piece}]} for piece in pieces] + [{"choices": [{"finish_reason": "stop"}]}]
    found = await visitor.part("exchange", "m.partsOf(a[0])", chunks)
    assert found["parts"] == [{"text": "Hello"}, *asked["contents"][1]["parts"]]
    assert found["reason"] == "stop"


async def test_a_file_of_a_prompt_is_seen_where_its_bytes_were_kept(visitor: Visitor) -> None:
    def found(**blob: Any) -> Any:
        return visitor.part("exchange_files", "m.fileIn(a[0])", {"inlineData": blob})

    whole = await found(mimeType="image/png", data="aGVsbG8=")
    assert (whole["address"], whole["bytes"]) == ("data:image/png;base64,aGVsbG8=", 5)
    short = await found(mimeType="audio/mp3", size=12_000, sha256="ab")
    assert (short["address"], short["bytes"], short["hash"]) == (None, 12_000, "ab")
    assert await visitor.part("exchange_files", "m.fileIn({ text: 'x' }) === undefined") is True
    raw = await visitor.part("exchange", "m.prettyBody(a[0])", {"mime_type": "image/png", "data": "aGVs" * 400})
    assert raw == '{\n  "mime_type": "image/png",\n  "data": "… 1200 bytes"\n}'


async def test_a_wave_is_as_high_as_the_sound_is_loud(visitor: Visitor) -> None:
    samples = [0.1, -0.2, 0, 0, 0.4, 0.1, 0, -0.1]
    assert await visitor.part("wave", "m.barsOf(a[0], 4)", samples) == [0.5, 0.08, 1, 0.25]
    assert await visitor.part("wave", "m.barsOf([], 2)") == [0.08, 0.08]


async def test_initials_are_whole_characters(visitor: Visitor, bot: ActedBot) -> None:
    names = ["Ann", "Ann Bell", "🦊 Fox", "  ", "王 小明"]
    assert await visitor.part("avatar", "a[0].map(m.initials)", names) == ["A", "AB", "🦊F", "?", "王小"]


async def test_the_address_keeps_two_panes(visitor: Visitor) -> None:
    panes = [{"me": 1, "chat": "g5", "topic": 7}, {"me": 2, "chat": None, "topic": None}]
    assert await visitor.module("route", "m.fromHash(m.toHash(a[0]))", panes) == panes


async def test_the_files_of_a_message_go_in_the_fewest_parts(visitor: Visitor) -> None:
    kinds = ["photo"] * 9 + ["video"] * 2 + ["document", "voice", "document", "audio", "audio"]
    parts = await visitor.module("attachments", "m.batches(a[0]).map((b) => b.length)", [{"kind": k} for k in kinds])
    assert parts == [10, 1, 1, 1, 1, 2]


async def test_opus_packets_are_taken_out_of_webm_and_written_as_ogg(visitor: Visitor) -> None:
    # the segment and clusters of a recording have no length; packets of 20, 60 and twice 10 ms, one over 255 bytes
    packets = [b"\xf8" + bytes(300), b"\x18" + bytes(9), b"\xf1" + bytes(9)]
    head = b"OpusHead" + bytes([1, 1, 0, 0]) + bytes(7)
    track = b"\x16\x54\xae\x6b\xff\xae\xff" + b"\x63\xa2" + bytes([0x80 | len(head)]) + head
    blocks = b"".join(b"\xa3" + (0x4000 | len(p) + 4).to_bytes(2, "big") + b"\x81\0\0\0" + p for p in packets)
    webm = b"\x1a\x45\xdf\xa3\x84\x42\x82\x81w" + b"\x18\x53\x80\x67\x01" + b"\xff" * 7 + track
    webm += b"\x1f\x43\xb6\x75\x01" + b"\xff" * 7 + b"\xe7\x81\0" + blocks
    taken = "m.opusIn(new Uint8Array(a[0]))"
    assert await visitor.part("webm", f"{taken}.packets.map((p) => [...p])", list(webm)) == [list(p) for p in packets]
    assert await visitor.part("webm", taken, list(b"\x1a\x45\xdf\xa3\x84\x42\x82\x81w")) is None
    written = "m.oggOf((await import('/web/parts/webm.js')).opusIn(new Uint8Array(a[0])))"
    pages = await visitor.part("ogg", f"{written}.map((page) => [...page])", list(webm))
    ogg = b"".join(bytes(page) for page in pages)
    assert [has_its_checksum(bytes(page)) for page in pages] == [True] * 3
    assert clip_of(ogg).seconds == (20 + 60 + 20) / 1000
    assert ogg.endswith(b"".join(packets))


def has_its_checksum(page: bytes) -> bool:
    return page[22:26] == ogg_crc(page[:22] + bytes(4) + page[26:]).to_bytes(4, "little")
