variable "billing_account" {
  description = "The billing account that pays. Its administrators get the mails."
  type        = string
}

variable "project" {
  description = "The project whose costs count."
  type        = string
}

variable "name" {
  description = "What the budget is called in the console."
  type        = string
}

variable "amount" {
  description = "What a month may cost, in whole units of a currency, which must be the billing account's."
  type        = object({ units = number, currency = string })

  validation {
    condition     = var.amount.units >= 1 && can(regex("^[A-Z]{3}$", var.amount.currency))
    error_message = "A budget is at least 1 of a currency like EUR."
  }
}
