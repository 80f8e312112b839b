"""Tools: what answers the model while it plans. Each is one module, called as the tool is, with its `TOOL`."""

from typing import Final

from shared.discovery import module_names

#: the modules that are no tools
FRAMEWORK: Final = frozenset({"tool", "toolbox"})


def tool_names() -> tuple[str, ...]:
    """The names of all tools, in order; no tool is imported."""
    return tuple(name for name in module_names("shared.tools") if name not in FRAMEWORK)
