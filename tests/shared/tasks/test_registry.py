from shared.tasks.registry import TASK_MODELS, THINK, Think


def test_each_kind_leads_to_the_model_that_names_it() -> None:
    assert {"send", "wait", "react"} <= TASK_MODELS.keys()
    for kind, model in TASK_MODELS.items():
        assert model.model_fields["kind"].default == kind


def test_a_thought_is_no_task_of_a_plan() -> None:
    assert THINK not in TASK_MODELS
    assert Think(text="hm").kind == THINK
