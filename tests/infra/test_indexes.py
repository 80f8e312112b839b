"""The indexes are those that the code's queries need in Firestore; the emulator works without them."""

from typing import Any

import pytest

from shared.chat.store.queries import QUERIES, Query
from shared.llm.ports.embedding import DIMENSIONS
from shared.values.media import MediaRef
from tests.infra.workspace import Resource

#: a composite index as collection, scope, and fields with their directions
Index = tuple[str, str, tuple[tuple[str, str], ...]]


def composites(resources: list[Resource]) -> set[Index]:
    return {
        (v["collection"], v["query_scope"], tuple((f["field_path"], _kind_of(f)) for f in v["fields"]))
        for v in (r.values for r in resources if r.type == "google_firestore_index")
    }


def _kind_of(field: Any) -> str:
    """Give the kind of a field's index; for a vector, its length."""
    vectors = field.get("vector_config")
    return f"VECTOR {vectors[0]['dimension']}" if vectors else str(field.get("array_config") or field["order"])


def unindexed(resources: list[Resource]) -> set[tuple[str, str]]:
    fields = (r.values for r in resources if r.type == "google_firestore_field")
    return {(v["collection"], v["field"]) for v in fields if v["index_config"] and not _indexes(v)}


def _indexes(field: Any) -> Any:
    return field["index_config"][0]["indexes"]


def index_of(query: Query) -> Index:
    """Make the index for a query: compared fields, a list, the order, the name in the last direction, a vector."""
    ordered = tuple((order.field, order.direction.value) for order in query.order)
    compared = tuple((field, "ASCENDING") for field in sorted(query.equals))
    listed = ((query.contains, "CONTAINS"),) if query.contains else ()
    last = ordered[-1][1] if ordered else "ASCENDING"
    vector = ((query.vector, f"VECTOR {DIMENSIONS}"),) if query.vector else ()
    return query.collection, query.scope.value, (*compared, *listed, *ordered, ("__name__", last), *vector)


def test_every_query_that_needs_an_index_has_it_and_no_other_is_made(made: list[Resource]) -> None:
    assert composites(made) == {index_of(query) for query in QUERIES if query.needs_index}


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: f"{query.collection}-{query.equals}-{len(query.order)}")
def test_no_field_that_is_asked_for_is_left_out_of_the_indexes(made: list[Resource], query: Query) -> None:
    fields = (*query.equals, *(order.field for order in query.order))
    # an exemption of a map also holds for the fields in it
    asked = {(query.collection, field[:end]) for field in fields for end in _ends(field)}
    assert asked & unindexed(made) == set()


def _ends(field: str) -> list[int]:
    return [place for place, letter in enumerate(f"{field}.") if letter == "."]


def test_of_a_file_in_a_reference_nothing_is_indexed_but_by_what_it_is_found(made: list[Resource]) -> None:
    fields = {f"ref.{name}" for name in MediaRef.model_fields}
    assert fields - {field for name, field in unindexed(made) if name == "references"} == {
        "ref.kind",
        "ref.set_name",
        "ref.unique_id",
    }
