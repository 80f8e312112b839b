"""Chooses the local model: the one that LULL_LOCAL_MODEL names, the one chosen at an earlier start, or one that a
person picks from a list.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from local.model.chat_models import CHAT_MODELS, ChatModel, chat_model
from local.model.upstream import ModelServer
from local.model_servers import USUAL, FoundModels, found_at, with_abilities
from local.options import CannotStart, LocalOptions
from local.parts import Backend
from local.ports import HOST

#: values of LULL_LOCAL_MODEL for the model that lull downloads, and for asking again
SMALL, ASK = "small", "ask"
#: list entry for the model that lull downloads
OWN = "the small model that lull downloads"
FILE = "local_model.json"

#: a server's model, a GGUF file, a model to download, or None for the one that lull prefers
Choice = ModelServer | Path | ChatModel | None
#: lets a person choose from a list; returns the index
Asker = Callable[[Sequence[str]], int]


def with_local_model(
    options: LocalOptions, say: Callable[[str], None], ask: Asker | None, places: Mapping[str, str] = USUAL
) -> LocalOptions:
    """Return the options with the local model to use: the one that LULL_LOCAL_MODEL names, else the one chosen at an
    earlier start, else one that a person picks with `ask`. Raises CannotStart for an unknown name.

    `ask` is None if no person is at the terminal. Then nothing is picked, and lull uses the model that it downloads.
    """
    if options.backend is not Backend.SMALL or not options.may_choose_model:
        return options
    free = {name: url for name, url in places.items() if url != f"http://{HOST}:{options.page_port}"}
    wanted = options.local_model
    if wanted and wanted != ASK:
        return _choose(options, _named_model(options, free))
    if (wanted != ASK or ask is None) and _file(options).is_file():
        return _with(options, _last_choice(options))
    return _offer(options, found_at(free, options.local_model_key), say, ask)


def _offer(options: LocalOptions, found: FoundModels, say: Callable[[str], None], ask: Asker | None) -> LocalOptions:
    for trouble in found.troubles:
        say(trouble)
    if not found.models:
        return options
    if ask is None:
        first = found.models[0]
        say(f"{first.name} also has {first.label}. To use it, set LULL_LOCAL_MODEL={first.label}.")
        return options
    place = ask([*(f"{server.label} ({server.name})" for server in found.models), OWN])
    return _choose(options, found.models[place] if place < len(found.models) else None)


def _named_model(options: LocalOptions, places: Mapping[str, str]) -> Choice:
    """Return the model that LULL_LOCAL_MODEL names: `small`, a file, `http://host:port#model`, a server's model, or one
    that lull can download.
    """
    wanted = options.local_model
    if wanted == SMALL:
        return None
    file = Path(wanted).expanduser()
    if file.is_file():
        return file.resolve()
    url, _, model = wanted.partition("#")
    is_address = url.startswith(("http://", "https://"))
    if is_address:
        places, wanted = {"The server": url.rstrip("/").removesuffix("/v1")}, model
    found = found_at(places, options.local_model_key)
    fitting = [server for server in found.models if server.model == wanted]
    if not fitting and not is_address and (row := chat_model(wanted)):
        return row
    fitting = fitting or [server for server in found.models if wanted.casefold() in server.model.casefold()]
    if len(fitting) == 1 or (fitting and len({server.model for server in fitting}) == 1):
        return fitting[0]
    where = url if is_address else ", ".join(places)
    there = ", ".join(server.model for server in fitting or found.models) or "none"
    which = "fits several models" if fitting else "is neither a file nor a model"
    why = f"LULL_LOCAL_MODEL={options.local_model} {which} of {where}; available: {there}."
    own = f"lull can download: {', '.join(row.name for row in CHAT_MODELS)}."
    raise CannotStart(" ".join((why, *found.troubles, *([] if is_address else [own]))))


def _choose(options: LocalOptions, choice: Choice) -> LocalOptions:
    """Return the options with this choice of a model, and store the choice for the next start."""
    match choice:
        case ModelServer():
            choice = with_abilities(choice)
            kept = {name: value for name, value in asdict(choice).items() if name != "key"}
        case Path():
            kept = {"file": str(choice)}
        case ChatModel():
            kept = {"chat_model": choice.name}
        case _:
            kept = {}
    _file(options).parent.mkdir(parents=True, exist_ok=True)
    _file(options).write_text(json.dumps(kept))
    return _with(options, choice)


def _last_choice(options: LocalOptions) -> Choice:
    """Return the model chosen at an earlier start. If the stored choice is unreadable or the file is gone, return None:
    lull then uses a model that it downloads.
    """
    try:
        kept: dict[str, Any] = dict(json.loads(_file(options).read_text()))
        if "url" in kept:
            return with_abilities(ModelServer(**kept, key=options.local_model_key))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    if "chat_model" in kept:
        return chat_model(str(kept["chat_model"]))
    file = Path(str(kept.get("file", "")))
    return file if "file" in kept and file.is_file() else None


def _with(options: LocalOptions, choice: Choice) -> LocalOptions:
    match choice:
        case ModelServer():
            return replace(options, backend=Backend.SERVER, server=choice)
        case Path():
            return replace(options, model_file=choice)
        case ChatModel():
            return replace(options, chat_model=choice.name)
        case _:
            return options


def _file(options: LocalOptions) -> Path:
    return options.data / FILE
