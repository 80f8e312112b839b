variable "project" {
  description = "The project's id."
  type        = string
}

variable "region" {
  description = "The function's region."
  type        = string
}

variable "name" {
  description = "The function's name, also that of its Cloud Run service and its account."
  type        = string

  validation {
    # a name with underscores would be another one for the service below
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.name))
    error_message = "A function's name is 6 to 30 small letters, digits and hyphens."
  }
}

variable "entry_point" {
  description = "The function's name in main.py."
  type        = string
}

variable "description" {
  description = "What the function does, in one sentence."
  type        = string
}

variable "url" {
  description = "The address that the others know it by."
  type        = string
}

variable "runtime" {
  description = "The language's version, like python313."
  type        = string
}

variable "bundle" {
  description = "The zip that is deployed, and the bucket that it is laid into."
  type        = object({ path = string, bucket = string })
}

variable "build" {
  description = "The account that builds the container (its full name), and the repository for it."
  type        = object({ account = string, repository = string })
}

variable "after" {
  description = "What must be there before the function is deployed. Its account and what that may do do not wait for it."
  type        = list(string)
  default     = []
}

variable "limits" {
  description = "Memory of an instance, seconds for a request, requests at once in an instance, and how many instances."
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
    # the service below a function has a limit of its own, which the function's resource cannot set
    condition     = var.limits.max_instances <= 100
    error_message = "max_instances is at most 100: Cloud Run starts no more for a function."
  }
}

variable "environment" {
  description = "The function's settings that are no secrets."
  type        = map(string)
}

variable "secrets" {
  description = "The function's settings that are secrets: the secret's id and the number of the version."
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
  description = "Queues that the function makes tasks in: any key, the queue's name, and the account that delivers its tasks."
  type        = map(object({ name = string, caller = object({ name = string }) }))
  default     = {}
}

variable "buckets" {
  description = "Buckets that the function may use: any key, the bucket's name, and the role there."
  type        = map(object({ name = string, role = string }))
  default     = {}
}
