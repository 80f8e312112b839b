variable "alert_emails" {
  description = "Who is told of what the alerts find. Empty: nobody, the alerts stand in the console only."
  type        = set(string)
  default     = []

  validation {
    condition     = alltrue([for address in var.alert_emails : can(regex("^[^@ ]+@[^@ ]+$", address)) && !can(regex("@example\\.(com|net|org)$", address))])
    error_message = "alert_emails are e-mail addresses that somebody reads: not an example's, and [] for nobody's."
  }
}

variable "billing_account" {
  description = "The billing account that pays, for the budget. Null: there is no budget."
  type        = string
  default     = null

  validation {
    condition     = var.billing_account == null || can(regex("^[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}$", var.billing_account))
    error_message = "billing_account looks like 012345-6789AB-CDEF01 (gcloud billing accounts list)."
  }
}

variable "monthly_budget" {
  description = "What a month may cost before mails warn, in whole units of the billing account's currency. It stops nothing."
  type        = object({ units = optional(number, 20) })
  default     = {}
}

variable "alert_limits" {
  description = "When the alerts speak: errors in 5 minutes, seconds of a tick and seconds that it begins late (95th percentiles), dollars a day for models (null: four fifths of LULL_DAY_USD), requests in 10 minutes that the webhook refuses."
  type = object({
    errors            = optional(number, 3)
    tick_seconds      = optional(number, 120)
    late_seconds      = optional(number, 60)
    model_usd_per_day = optional(number)
    refused           = optional(number, 100)
  })
  default = {}
}
