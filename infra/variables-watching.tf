variable "alert_emails" {
  description = "E-mail addresses to which alerts are sent. Empty: alerts appear only in the Google Cloud console."
  type        = set(string)
  default     = []

  validation {
    condition     = alltrue([for address in var.alert_emails : can(regex("^[^@ ]+@[^@ ]+$", address)) && !can(regex("@example\\.(com|net|org)$", address))])
    error_message = "alert_emails are e-mail addresses that somebody reads: not an example's, and [] for nobody's."
  }
}

variable "billing_account" {
  description = "The billing account for which a budget is created. Null: no budget."
  type        = string
  default     = null

  validation {
    condition     = var.billing_account == null || can(regex("^[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}$", var.billing_account))
    error_message = "billing_account looks like 012345-6789AB-CDEF01 (gcloud billing accounts list)."
  }
}

variable "monthly_budget" {
  description = "The monthly budget, in whole units of the billing account's currency. E-mails warn from half of it on; nothing is stopped."
  type        = object({ units = optional(number, 20) })
  default     = {}
}

variable "alert_limits" {
  description = "Limits above which alerts are raised: errors in 5 minutes, duration and delay of ticks in seconds (95th percentiles), dollars a day for models (null: four fifths of LULL_DAY_USD), requests in 10 minutes that the webhook refuses."
  type = object({
    errors            = optional(number, 3)
    tick_seconds      = optional(number, 120)
    late_seconds      = optional(number, 60)
    model_usd_per_day = optional(number)
    refused           = optional(number, 100)
  })
  default = {}
}
