"""Finds the tick function of a deployment: reads the function's address and queue from Terraform's state. A replay of
dead letters needs them.
"""

from collections.abc import Mapping

from operations.deployment.options import CannotDeploy, infra_of
from operations.deployment.terraform import Terraform
from operations.place import NoPlace

FUNCTION = 'module.function["webhook"].google_cloudfunctions2_function.this'
NEEDED = ("LULL_QUEUE", "LULL_TICK_URL")
WANTED = (*NEEDED, "LULL_INVOKER")


def tick_settings(env: Mapping[str, str]) -> dict[str, str]:
    """Return the settings for calling the tick function that are missing in `env`, read from Terraform's state. Return
    {} if `env` has all the NEEDED settings.

    Raises NoPlace if this checkout's state belongs to another project.
    """
    if all(env.get(name) for name in NEEDED):
        return {}
    project = env.get("GOOGLE_CLOUD_PROJECT", "")
    told = _environment(env)
    if told.get("GOOGLE_CLOUD_PROJECT") != project:
        raise NoPlace(
            f"Replaying needs the address of the tick function, but {project} was not deployed from this checkout. "
            f"Run this in the checkout that deployed it, or set {', '.join(WANTED)} to the values of the webhook "
            f"function: `gcloud functions list --project={project} "
            "--format='value(name, serviceConfig.environmentVariables)'`."
        )
    return {name: told[name] for name in WANTED if name in told and not env.get(name)}


def _environment(env: Mapping[str, str]) -> dict[str, str]:
    terraform = Terraform(infra_of(env), env)
    try:
        terraform.check()
        services = terraform.attributes(FUNCTION).get("service_config", [])
    except CannotDeploy:  # Terraform is not installed or has no state here
        return {}
    return {str(name): str(value) for service in services for name, value in service["environment_variables"].items()}
