"""Stories of memories that the owner changes in the console: the next prompt goes by it."""

from typing import Any

from shared.console.route import ConsoleRequest
from shared.console.views import memories as view
from tests.stories.play import Person, Sandbox
from tests.stories.test_choices import offered
from tests.stories.test_commands import press
from tests.stories.test_memories import answered, remember, said
from tests.stories.test_orders import services_of

OWNER = 1


def asked(**fields: Any) -> ConsoleRequest:
    return ConsoleRequest(owner=OWNER, agents=("lull",), **fields)


async def shown(sandbox: Sandbox, person: Person) -> dict[str, Any]:
    path = {"owner": f"person:{person.id}:lull"}
    return dict(await view.read_memories(services_of(sandbox), asked(path=path)))


async def test_a_fact_is_corrected_and_deleted_in_the_console(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat, services = await sandbox.private(ann), services_of(sandbox)
    await answered(sandbox, chat, ann, "I cannot bear nuts", remember("Ann is allergic to nuts."), said("Noted."))
    found = await shown(sandbox, ann)
    (nuts,) = found["items"]
    assert (nuts["text"], nuts["said_by"], nuts["is_private"]) == ("Ann is allergic to nuts.", ann.name, True)
    assert nuts["conversation"] == (await chat.document())["conversation"]
    body = {"owner": found["owner"], "memory": nuts["id"]}
    await view.edit(services, asked(body=body | {"text": "Ann is allergic to walnuts only."}))
    assert "Ann is allergic to walnuts only." in await answered(sandbox, chat, ann, "what do you know?")
    await view.delete(services, asked(body=body))
    assert "[memory" not in await answered(sandbox, chat, ann, "and what do you know now?")


async def test_what_waits_for_a_tap_is_taken_in_the_console_and_the_tap_changes_nothing(sandbox: Sandbox) -> None:
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    chat, group = await sandbox.private(ann), await sandbox.group([ann, bob])
    orders = await group.writes(bob, "Remember that Bob owes me five crowns")
    await sandbox.model.will_plan(remember("Bob owes Ann five crowns."), said("As you wish."))
    await chat.writes(ann, "", forward_of={"chat": group.key, "message_id": orders})
    await chat.answers(2)
    await chat.rests()
    (waiting,) = (await shown(sandbox, ann))["offers"]
    assert waiting["text"] == "Bob owes Ann five crowns."
    body = {name: waiting[name] for name in ("chat", "keyboard", "place")}
    await view.take_offer(services_of(sandbox), asked(body=body))
    taken = await shown(sandbox, ann)
    assert ([one["text"] for one in taken["items"]], taken["offers"]) == (["Bob owes Ann five crowns."], [])
    assert "Bob owes Ann five crowns." in await answered(sandbox, chat, ann, "what do you know?")
    await press(chat, ann, await offered(chat), 0)
    await chat.rests()
    await chat.catches_up()
    assert [one["text"] for one in (await shown(sandbox, ann))["items"]] == ["Bob owes Ann five crowns."]
