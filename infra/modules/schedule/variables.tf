variable "region" {
  description = "The jobs' region."
  type        = string
}

variable "caller_account" {
  description = "The name of the account that the jobs call with."
  type        = string
}

variable "jobs" {
  description = "The jobs by name: when (cron and zone), what is called with which JSON body, and how long that may take."
  type = map(object({
    description      = string
    schedule         = string
    time_zone        = string
    url              = string
    body             = string
    attempt_deadline = string
  }))

  validation {
    condition     = alltrue([for job in values(var.jobs) : can(regex("^\\S+( \\S+){4}$", job.schedule))])
    error_message = "A schedule is five cron fields, like \"*/5 * * * *\"."
  }
  validation {
    condition     = alltrue([for job in values(var.jobs) : startswith(job.url, "https://")])
    error_message = "A job calls an https address: its token would be readable on any other."
  }
  validation {
    condition = alltrue([for job in values(var.jobs) :
      try(tonumber(trimsuffix(job.attempt_deadline, "s")) >= 15 && tonumber(trimsuffix(job.attempt_deadline, "s")) <= 1800, false)
    ])
    error_message = "An attempt's deadline is 15s to 1800s."
  }
}

variable "paused" {
  description = "Whether the jobs wait instead of being fired."
  type        = bool
  default     = false
}
