variable "project" {
  description = "The project's id."
  type        = string
}

variable "region" {
  description = "The function's region."
  type        = string
}

variable "name" {
  description = "The name of the function, its Cloud Run service and its service account."
  type        = string

  validation {
    # the Cloud Run service would get another name if the name had underscores
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.name))
    error_message = "A function's name is 6 to 30 small letters, digits and hyphens."
  }
}

variable "entry_point" {
  description = "The name of the Python function in main.py."
  type        = string
}

variable "description" {
  description = "What the function does, in one sentence."
  type        = string
}

variable "url" {
  description = "The address at which other functions call it. A deployment fails if the real address differs."
  type        = string
}

variable "runtime" {
  description = "The Python runtime, such as python313."
  type        = string
}

variable "bundle" {
  description = "The zip that is deployed, and the bucket to which it is uploaded."
  type        = object({ path = string, bucket = string })
}

variable "build" {
  description = "The account that builds the container (its full name), and the repository for it."
  type        = object({ account = string, repository = string })
}

variable "after" {
  description = "Resources that must exist before the function is deployed. Its service account and permissions do not wait for them."
  type        = list(string)
  default     = []
}

variable "limits" {
  description = "Memory of an instance, seconds for a request, concurrent requests in an instance, and number of instances."
  type = object({
    memory        = string
    timeout_s     = number
    concurrency   = number
    min_instances = number
    max_instances = number
  })

  validation {
    condition     = can(regex("^[1-9][0-9]*[MG]i$", var.limits.memory))
    error_message = "memory is a number of Mi or Gi, like 512Mi."
  }
  validation {
    condition     = var.limits.timeout_s >= 1 && var.limits.timeout_s < 600
    error_message = "timeout_s ends before the deadline of a task (600 s), which would otherwise start a second run beside the first."
  }
  validation {
    condition     = var.limits.concurrency > 1 && var.limits.concurrency <= 1000
    error_message = "concurrency is 2 to 1000: one request at a time would need an instance for each chat."
  }
  validation {
    condition     = var.limits.min_instances >= 0 && var.limits.max_instances >= max(1, var.limits.min_instances)
    error_message = "max_instances is at least 1 and not below min_instances."
  }
  validation {
    # a function's Cloud Run service has its own limit, which the function's resource cannot set
    condition     = var.limits.max_instances <= 100
    error_message = "max_instances is at most 100: Cloud Run starts no more for a function."
  }
}

variable "environment" {
  description = "The function's settings that are not secret."
  type        = map(string)
}

variable "secrets" {
  description = "The function's secret settings: the secret's id and the version's number."
  type        = map(object({ id = string, version = string }))
  default     = {}
}

variable "is_public" {
  description = "Whether everybody may call it."
  type        = bool
  default     = false
}

variable "callers" {
  description = "Who else may call it: any key, and a member like serviceAccount:x@y."
  type        = map(string)
  default     = {}

  validation {
    condition     = alltrue([for caller in values(var.callers) : !startswith(caller, "all")])
    error_message = "Everybody is let in by is_public, not by callers."
  }
}

variable "project_roles" {
  description = "Roles of the function's account in the project: any key, the role, and a condition or null."
  type = map(object({
    role      = string
    condition = optional(object({ title = string, description = string, expression = string }))
  }))
  default = {}
}

variable "enqueues" {
  description = "Queues in which the function creates tasks: any key, the queue's name, and the account that delivers its tasks."
  type        = map(object({ name = string, caller = object({ name = string }) }))
  default     = {}
}

variable "buckets" {
  description = "Buckets that the function may use: any key, the bucket's name, and the role there."
  type        = map(object({ name = string, role = string }))
  default     = {}
}
