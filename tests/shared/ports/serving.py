"""Whether an adapter serves its whole port, with the port's own signatures."""

import inspect


def _calls_of(kind: type) -> dict[str, inspect.Signature]:
    return {name: inspect.signature(call) for name, call in vars(kind).items() if inspect.iscoroutinefunction(call)}


def assert_serves(port: type, adapter: type) -> None:
    """Fail where a call of the port is missing in the adapter, or takes something else."""
    wanted, given = _calls_of(port), _calls_of(adapter)
    assert wanted
    for name, signature in wanted.items():
        assert list(given[name].parameters) == list(signature.parameters), name
