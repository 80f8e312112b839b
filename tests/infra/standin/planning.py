"""Plans of changes to a resource: defaults, values that only the cloud knows, and replacements."""

from dataclasses import dataclass

from tests.infra.standin.making import Maker
from tests.infra.standin.schema import Block, Catalogue
from tests.infra.standin.values import UNKNOWN, Object, Value, has_unknown

LABELS = ("effective_labels", "terraform_labels")


@dataclass(frozen=True)
class Planner:
    """Plans changes of one resource type."""

    catalogue: Catalogue
    kind: str
    defaults: Object

    @property
    def block(self) -> Block:
        """The resource's schema."""
        return self.catalogue.resources[self.kind]

    def replacing(self, prior: Object | None, wanted: Object) -> list[str]:
        """List the changed arguments that force a new resource."""
        if prior is None:
            return []
        names = (*self.block.attributes, *self.block.blocks)
        return [n for n in names if self.catalogue.is_replaced_by(self.kind, n) and wanted.get(n) != prior.get(n)]

    def plan(self, prior: Object | None, wanted: Object) -> Object:
        """Change `wanted`, the configured resource, into the planned one."""
        is_kept = prior is not None and not self.replacing(prior, wanted)
        _set_defaults(self.block, wanted)
        maker = Maker(self.catalogue, self.kind, wanted, self.defaults)
        for name in self.catalogue.fact("known_at_plan", self.kind, ()):
            if wanted.get(name) is None and not is_kept and wanted.get("account_id") is not UNKNOWN:
                wanted[name] = maker.attribute(name, "string")
        for name in ("project", "region"):
            attribute = self.block.attributes.get(name)
            if attribute and attribute.is_optional and wanted.get(name) is None and self.defaults.get(name):
                wanted[name] = self.defaults[name]
        _mark_computed(self.block, wanted, prior if is_kept else None)
        self._set_labels(wanted)
        _forget_write_only(self.block, wanted)
        return wanted

    def _set_labels(self, wanted: Object) -> None:
        own = wanted.get("labels") or {}
        for name in LABELS:
            if name in self.block.attributes:
                wanted[name] = UNKNOWN if has_unknown(own) else {**(self.defaults.get("default_labels") or {}), **own}


def _set_defaults(block: Block, value: Object) -> None:
    for name, attribute in block.attributes.items():
        if value.get(name) is None and attribute.default is not None:
            value[name] = attribute.default
    for nested in block.blocks.values():
        for _, item in nested.items(value):
            _set_defaults(nested.block, item)


def _mark_computed(block: Block, value: Object, prior: Object | None) -> None:
    """Keep computed values of before, and mark the others as unknown."""
    for name, attribute in block.attributes.items():
        if attribute.is_computed and value.get(name) is None:
            before = prior.get(name) if prior is not None else None
            value[name] = UNKNOWN if before is None else before
    for nested in block.blocks.values():
        for place, item in nested.items(value):
            _mark_computed(nested.block, item, _at(prior, place) if nested.nesting != "set" else None)


def _at(prior: Value, place: tuple[str | int, ...]) -> Object | None:
    for step in place:
        try:
            prior = prior[step]
        except (KeyError, IndexError, TypeError):
            return None
    return prior if isinstance(prior, dict) else None


def _forget_write_only(block: Block, value: Object) -> None:
    for name, attribute in block.attributes.items():
        if attribute.is_write_only:
            value[name] = None
