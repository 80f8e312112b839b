variable "project" {
  description = "The Google Cloud project that everything is made in. One for each environment: it has one default database."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project))
    error_message = "project is the project's id (6 to 30 small letters, digits and hyphens), not its name or number."
  }
}

variable "region" {
  description = "The region of functions, queues and schedules. It must have Cloud Scheduler and Cloud Tasks."
  type        = string
  default     = "europe-west1"

  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+$", var.region))
    error_message = "region is a region like europe-west1, not a zone and not a multi-region."
  }
}

variable "database_location" {
  description = "Where the database and its archive are; it can never be changed, so name it before you change the region. Null: the region."
  type        = string
  default     = null
}

variable "name" {
  description = "What every name of a resource begins with."
  type        = string
  default     = "lull"

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,11}[a-z0-9]$", var.name))
    error_message = "name is 2 to 13 small letters, digits and hyphens, a letter first: service accounts' names hold 30."
  }
}

variable "environment" {
  description = "Which environment this is; it stands on every resource as a label."
  type        = string
  default     = "prod"

  validation {
    condition     = can(regex("^[a-z0-9_-]{1,63}$", var.environment))
    error_message = "environment is a label: small letters, digits, hyphens and underscores."
  }
}

variable "labels" {
  description = "Labels for every resource that can carry them, besides app, environment and managed_by."
  type        = map(string)
  default     = {}
}

variable "agents" {
  description = "The agents that run: folders of agents/, each with a bot token."
  type        = set(string)
  default     = ["lull"]

  validation {
    condition     = length(var.agents) > 0 && alltrue([for agent in var.agents : can(regex("^[a-z0-9_-]+$", agent))])
    error_message = "agents needs at least one agent, named as its folder in agents/."
  }
  validation {
    # paths that Google's front end keeps for itself, so that no update would arrive: cloud.google.com/run/docs/known-issues
    condition     = alltrue([for agent in var.agents : !can(regex("^(_ah.*|eventlog|.*z)$", agent))])
    error_message = "An agent's name is its path at the webhook. Cloud Run keeps eventlog, what begins with _ah, and what ends in z (as healthz does) for itself: rename the folder in agents/."
  }
}

variable "console_login_bot" {
  description = "The id of the bot by which owners sign in to the console on a desk (BotFather, Web Login). Empty: only inside Telegram."
  type        = string
  default     = ""

  validation {
    condition     = can(regex("^[0-9]*$", var.console_login_bot))
    error_message = "console_login_bot is the bot's id: the digits before the colon of its token."
  }
}

variable "settings" {
  description = "Settings of the functions by their names in docs/configuration.md; each goes to the functions that read it."
  type        = map(string)
  default     = {}

  validation {
    condition     = length(setsubtract(keys(var.settings), flatten(values(local.optional_settings)))) == 0
    error_message = "settings may hold ${join(", ", sort(distinct(flatten(values(local.optional_settings)))))}."
  }
}

variable "instances" {
  description = "How many instances a function keeps warm (min) and may have (max), where it differs from functions.yaml."
  type        = map(object({ min = optional(number), max = optional(number) }))
  default     = {}

  validation {
    condition     = length(setsubtract(keys(var.instances), keys(local.declared_functions))) == 0
    error_message = "instances knows the functions ${join(", ", keys(local.declared_functions))}."
  }
}

variable "runtime" {
  description = "The Python that the functions run on."
  type        = string
  default     = "python313"

  validation {
    condition     = can(regex("^python31[1-4]$", var.runtime))
    error_message = "runtime is python311, python312, python313 or python314."
  }
}

variable "bundles" {
  description = "The folder with the functions' zips, as `make bundle` writes them."
  type        = string
  default     = "../build"
}

variable "vertex_ai" {
  description = "Reach Gemini through Vertex AI with the functions' own accounts: there is no API key then."
  type        = bool
  default     = false
}

variable "model_providers" {
  description = "Providers of models besides Gemini, by the name before the colon in a model's setting: the address of an OpenAI-compatible API, or \"\" for one that lull knows."
  type        = map(string)
  default     = {}

  validation {
    condition     = alltrue([for provider in keys(var.model_providers) : can(regex("^[a-z][a-z0-9_-]*$", provider))])
    error_message = "A provider's name is small letters, digits, _ and -, a letter first, such as groq."
  }
  validation {
    # what people write is sent there, and the key
    condition     = alltrue([for address in values(var.model_providers) : address == "" || can(regex("^https://[^[:space:]/?#@\"']+(/[^[:space:]?#\"']*)?$", address))])
    error_message = "A provider's address begins with https:// and has no user, query or fragment, such as https://llm.example.org/v1; \"\" is the address that lull knows."
  }
}

variable "paused" {
  description = "Stop all queues: updates are still stored, nothing is answered. Setting it back answers what was written."
  type        = bool
  default     = false
}
