variable "region" {
  description = "The jobs' region."
  type        = string
}

variable "callers" {
  description = "Names of the accounts with which jobs call functions, by function."
  type        = map(string)
}

variable "jobs" {
  description = "The jobs by name: schedule (cron and time zone), called function, its address, JSON body, and deadline of an attempt."
  type = map(object({
    description      = string
    schedule         = string
    time_zone        = string
    function         = string
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
  validation {
    condition     = alltrue([for job in values(var.jobs) : contains(keys(var.callers), job.function)])
    error_message = "Each function that a job calls has an account in callers."
  }
}

variable "paused" {
  description = "Whether the jobs are paused."
  type        = bool
  default     = false
}
