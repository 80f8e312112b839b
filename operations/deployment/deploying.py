"""Deploys lull step by step. Every step may be repeated: to resume an interrupted deployment, start it again."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from operations.deployment.bots import LeavingBot, check_bots, check_key, remove_webhooks
from operations.deployment.google import GoogleProject, logged_in
from operations.deployment.options import CannotDeploy, Options
from operations.deployment.policies import check_policies
from operations.deployment.preparing import load_configuration, secrets_file_of, write_bundles
from operations.deployment.provider_keys import check_provider_keys
from operations.deployment.proving import prove
from operations.deployment.registering import tell
from operations.deployment.secret_values import SecretsFile, SecretValues, StoredSecrets, known_tokens, secrets_of
from operations.deployment.starting import gemini_models
from operations.deployment.terminal import Terminal
from operations.deployment.terraform import WHOLE, Terraform, Variables, WholePlanRequested

DATABASE = "module.datastore.google_firestore_database.this"
ARCHIVE = "module.archive[0].google_storage_bucket.this"
ERASURES = "module.erasures.google_storage_bucket.this"
#: settings of models that every deployment uses; defaults of other settings are used by some agents only
NEEDED_MODELS = ("LULL_MODEL", "LULL_MEDIA_MODEL", "LULL_NOTES_MODEL", "LULL_EMBEDDING_MODEL")
#: buckets that `destroy` keeps, by their Terraform addresses
KEPT_BUCKETS = {ARCHIVE: ("The archive", "archive"), ERASURES: ("The list of forgotten people", "erasures")}


def deploy(options: Options) -> None:
    """Deploy lull to a project. Raises CannotDeploy."""
    terminal = Terminal(steps=7)
    found = load_configuration(options, terminal)
    with terminal.step(f"checking the project {found.variables.project}"):
        project = GoogleProject(found.variables.project, logged_in(options.env), options.google_apis)
        project.check_apis()
        project.check_project()
        project.check_billing()
        project.check_budget(found.variables.billing_account)
        check_policies(project, terminal)
        check_vertex_models(project, found.variables)
    with terminal.step("checking the secrets"):
        safe = secrets_file_of(options, found, terminal)
        secrets = prepare_secrets(options, found.variables, safe, terminal)
        gone = leaving_bots(found.terraform, options.env, safe.read(), staying=found.variables.agents)
        knowing = found.terraform.with_variables(secrets.for_terraform())
        terraform = adopt_data(knowing, project, found.variables, terminal)
    with terminal.step("bundling the functions"):
        write_bundles(options)
    with terminal.step("applying (about 15 minutes the first time: indexes are created and functions built)"):
        changed = terraform.change(confirmation(options, terminal, "Apply this?", gone))
        terminal.say("Applied." if changed else "Nothing has changed, so nothing was applied.")
    with terminal.step("registering the bots"):
        tell(options, replace(found, terraform=terraform), secrets, terminal)
    with terminal.step("sending a canary (a test message that shows whether messages arrive)"):
        prove(options, replace(found, terraform=terraform), terminal)


def check_vertex_models(project: GoogleProject, variables: Variables) -> None:
    """Check that Vertex AI has the models in use. Raises CannotDeploy."""
    settings = variables.settings
    if not variables.vertex_ai or settings.get("GEMINI_BASE_URL"):
        return
    location = settings.get("GOOGLE_CLOUD_LOCATION", "global")
    for setting, names in gemini_models(variables).items():
        if setting not in (*NEEDED_MODELS, *settings):
            continue
        for name in names:
            if project.lacks_model(location, name):
                raise CannotDeploy(
                    f"{setting} is {name}, but Vertex AI does not have this model in {location}. In `settings` of "
                    f"terraform.tfvars, set {setting} to another model, or GOOGLE_CLOUD_LOCATION to another location, "
                    "such as global."
                )


def prepare_secrets(options: Options, found: Variables, safe: SecretsFile, terminal: Terminal) -> SecretValues:
    """Return the secrets to deploy with. Missing ones are asked for or generated, and stored. Raises CannotDeploy."""
    kept = safe.read()
    secrets, to_keep = secrets_of(found, options.env, kept, terminal)
    asyncio.run(check_bots(options, secrets))
    check_key(options, secrets, gemini_models(found))
    check_provider_keys(found, secrets, terminal)
    if to_keep != kept:
        safe.write(to_keep)
        terminal.say(f"The secrets are stored in {safe.file}, which only you can read.")
    return secrets


def adopt_data(terraform: Terraform, project: GoogleProject, found: Variables, terminal: Terminal) -> Terraform:
    """Look for a database and buckets that an earlier deployment left in the project. Return Terraform with additional
    variables, with which Terraform uses the existing database and buckets instead of creating new ones. Raises
    CannotDeploy.
    """
    made, adopted = terraform.resources(), dict[str, str]()
    if DATABASE not in made and (there := project.database_location()):
        if there != found.database_location:
            raise CannotDeploy(
                f"The project {project.id} already has a Firestore database in {there}, which cannot be moved: "
                f'set database_location = "{there}" in terraform.tfvars, or use another project.'
            )
        terminal.say(f"The existing Firestore database of {project.id} is used, with its documents.")
        adopted["TF_VAR_adopt_database"] = "true"
    wanted = found.archive_location.upper()
    for address, bucket in {ARCHIVE: found.archive_bucket, ERASURES: found.erasure_bucket}.items():
        what, name = KEPT_BUCKETS[address]
        if not bucket or address in made or not (there := project.bucket_location(bucket)):
            continue
        if there != wanted:
            raise CannotDeploy(
                f"{what} is in the bucket {bucket} in {there}, not in {wanted}, and a bucket cannot be moved: copy its "
                "files elsewhere and delete it, or set database_location to its earlier value."
            )
        terminal.say(f"{what}: the existing bucket {bucket} is used, with its files.")
        adopted[f"TF_VAR_adopt_{name}"] = "true"
    return terraform.with_variables(adopted)


def leaving_bots(
    terraform: Terraform, env: Mapping[str, str], kept: StoredSecrets, staying: Collection[str] = ()
) -> dict[str, LeavingBot]:
    """Return, by agent, the deployed bots that are to be removed: those of all agents that are not in `staying`. Raises
    CannotDeploy.
    """
    deployed = terraform.outputs().get("webhook_urls", {})
    urls = {agent: url for agent, url in deployed.items() if agent not in staying}
    tokens = known_tokens(urls, env, kept)
    return {agent: LeavingBot(url=url, token=tokens.get(agent, "")) for agent, url in urls.items()}


def confirmation(
    options: Options, terminal: Terminal, question: str, gone: Mapping[str, LeavingBot], offers_whole: bool = True
) -> Callable[[], None]:
    """Return a function that asks the operator for confirmation, unless the command line already contains the
    confirmation.

    If the operator does not confirm, the function raises CannotDeploy. If `offers_whole` is set and the operator asks
    for the whole plan, the function raises WholePlanRequested. After a confirmation, it removes the webhooks of the
    bots in `gone`.
    """

    answers = "yes, no, or whole to see the whole plan" if offers_whole else "yes or no"

    def agree() -> None:
        said = "yes" if options.is_agreed else terminal.ask(f"{question} ({answers})").casefold()
        if said == WHOLE and offers_whole:
            raise WholePlanRequested
        if said != "yes":
            raise CannotDeploy("Nothing was changed.")
        # before the functions are deleted, since Telegram stores new updates for a day
        asyncio.run(remove_webhooks(options, gone, terminal))

    return agree
