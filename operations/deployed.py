"""Where a deployment's ticks run: what its functions were told, read from the state that its Terraform keeps."""

from collections.abc import Mapping

from operations.deployment.options import CannotDeploy, infra_of
from operations.deployment.terraform import Terraform
from operations.place import NoPlace

FUNCTION = 'module.function["webhook"].google_cloudfunctions2_function.this'
NEEDED = ("LULL_QUEUE", "LULL_TICK_URL")
WANTED = (*NEEDED, "LULL_INVOKER")


def tick_settings(env: Mapping[str, str]) -> dict[str, str]:
    """What the shell does not say of where ticks run. Raises NoPlace if it is not known here either."""
    if all(env.get(name) for name in NEEDED):
        return {}
    project = env.get("GOOGLE_CLOUD_PROJECT", "")
    told = _environment(env)
    if told.get("GOOGLE_CLOUD_PROJECT") != project:
        raise NoPlace(
            f"To replay, it has to be known where ticks run, and {project} was not deployed from here. Run this where "
            f"it was, or set {', '.join(WANTED)} as the webhook function has them: `gcloud functions list "
            f"--project={project} --format='value(name, serviceConfig.environmentVariables)'`."
        )
    return {name: told[name] for name in WANTED if name in told and not env.get(name)}


def _environment(env: Mapping[str, str]) -> dict[str, str]:
    terraform = Terraform(infra_of(env), env)
    try:
        terraform.check()
        services = terraform.attributes(FUNCTION).get("service_config", [])
    except CannotDeploy:  # no Terraform, or none that was ever told where its state is
        return {}
    return {str(name): str(value) for service in services for name, value in service["environment_variables"].items()}
