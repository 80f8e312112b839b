variable "project" {
  description = "The Google Cloud project of all resources. Each environment needs its own project, because it uses the default database."
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
  description = "The location of the database and of the buckets with data. It can never change, so set it before you change the region. Null: the region."
  type        = string
  default     = null
}

variable "name" {
  description = "The name of the deployment, which the names of its resources contain."
  type        = string
  default     = "lull"

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,11}[a-z0-9]$", var.name))
    error_message = "name is 2 to 13 small letters, digits and hyphens, a letter first: service accounts' names hold 30."
  }
}

variable "environment" {
  description = "The environment, such as prod or dev: a label of every resource that can carry labels."
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
    # Google's front end reserves these paths, so no update would arrive: cloud.google.com/run/docs/known-issues
    condition     = alltrue([for agent in var.agents : !can(regex("^(_ah.*|eventlog|.*z)$", agent))])
    error_message = "An agent's name is its path at the webhook. Cloud Run keeps eventlog, what begins with _ah, and what ends in z (as healthz does) for itself: rename the folder in agents/."
  }
}

variable "console_login_bot" {
  description = "The id of the bot whose web login owners use to sign in to the console in an ordinary browser (BotFather, Web Login). Empty: sign-in works only inside Telegram."
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
  description = "The minimum (kept warm) and maximum number of a function's instances, where they differ from functions.yaml."
  type        = map(object({ min = optional(number), max = optional(number) }))
  default     = {}

  validation {
    condition     = length(setsubtract(keys(var.instances), keys(local.declared_functions))) == 0
    error_message = "instances knows the functions ${join(", ", keys(local.declared_functions))}."
  }
}

variable "runtime" {
  description = "The Python runtime of the functions."
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
  description = "Call Gemini through Vertex AI with the functions' service accounts instead of an API key."
  type        = bool
  default     = false
}

variable "model_providers" {
  description = "Model providers besides Gemini. A key is the name before the colon in a model's setting; its value is the address of an OpenAI-compatible API, or \"\" if lull knows the address."
  type        = map(string)
  default     = {}

  validation {
    condition     = alltrue([for provider in keys(var.model_providers) : can(regex("^[a-z][a-z0-9_-]*$", provider))])
    error_message = "A provider's name is small letters, digits, _ and -, a letter first, such as groq."
  }
  validation {
    # people's messages and the API key are sent there
    condition     = alltrue([for address in values(var.model_providers) : address == "" || can(regex("^https://[^[:space:]/?#@\"']+(/[^[:space:]?#\"']*)?$", address))])
    error_message = "A provider's address begins with https:// and has no user, query or fragment, such as https://llm.example.org/v1; \"\" is the address that lull knows."
  }
}

variable "paused" {
  description = "Stop all queues and schedules: updates are stored, but not answered. Setting it back to false answers them."
  type        = bool
  default     = false
}
