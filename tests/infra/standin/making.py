"""Values that the real cloud would make: ids, e-mail addresses, URLs."""

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

from tests.infra.standin.schema import Block, Catalogue
from tests.infra.standin.values import UNKNOWN, Object, Value


class Maker:
    """Makes the computed values of one resource, always the same for the same arguments."""

    def __init__(self, catalogue: Catalogue, kind: str, resource: Object, defaults: Object, count: int = 1) -> None:
        """`defaults` is the provider's own configuration; `count` is the number of this resource among its kind, from
        1.
        """
        self.catalogue, self.kind, self.resource, self.defaults, self.count = catalogue, kind, resource, defaults, count
        # two resources of a kind differ in texts, and indexes in their fields
        told = {name: value for name, value in resource.items() if isinstance(value, str) or name == "fields"}
        spelled = json.dumps([kind, told, count], sort_keys=True, default=repr)
        self.hash = hashlib.sha256(spelled.encode()).hexdigest()[:10]

    def attribute(self, name: str, wanted: Any) -> Value:
        """Make the value of a computed attribute of type `wanted`."""
        if name == "id":
            return self._id()
        made = self.catalogue.facts["computed"]
        template = made.get(f"{self.kind}.{name}", made.get(f"*.{name}", f"{name}-{self.hash}"))
        return _as(self._filled(template), wanted)

    def _id(self) -> str:
        if self.kind.endswith("_iam_member"):
            return "/".join(str(v) for k, v in sorted(self.resource.items()) if isinstance(v, str) and k != "etag")
        ids = self.catalogue.facts["id"]
        return str(self._filled(ids.get(self.kind, ids["*"])))

    def _filled(self, template: Value) -> Value:
        if not isinstance(template, str):
            return template
        return re.sub(r"\{(\w+)\}", lambda found: self._part(found[1]), template)

    def _part(self, name: str) -> str:
        project = str(self.resource.get("project") or self.defaults.get("project") or "")
        fixed: dict[str, Callable[[], str]] = {
            "hash": lambda: self.hash,
            "project": lambda: project,
            "count": lambda: str(self.count),
            "number": lambda: str(int(hashlib.sha256(project.encode()).hexdigest()[:10], 16)),
            "type": lambda: self.kind.removeprefix("google_"),
        }
        if name in fixed:
            return fixed[name]()
        own = self.resource.get(name)
        if own not in (None, UNKNOWN):
            return str(own)
        return str(self.defaults[name]) if self.defaults.get(name) else str(self.attribute(name, "string"))

    def fill_unknown(self, block: Block, value: Object) -> None:
        """Fill each unknown part of `value` as the real cloud would."""
        for name, attribute in block.attributes.items():
            if value.get(name) is UNKNOWN:
                value[name] = self.attribute(name, attribute.type)
        for nested in block.blocks.values():
            for _, item in nested.items(value):
                self.fill_unknown(nested.block, item)


def _as(made: Value, wanted: Any) -> Value:
    match wanted:
        case "string":
            return str(made)
        case "number":
            return made if isinstance(made, int) else 0
        case "bool":
            return made is True
        case ["map", *_]:
            return {}
    return []
