variable "billing_account" {
  description = "The billing account. Its administrators get the budget's e-mails."
  type        = string
}

variable "project" {
  description = "The project whose costs count towards the budget."
  type        = string
}

variable "name" {
  description = "The budget's display name in the Google Cloud console."
  type        = string
}

variable "units" {
  description = "The monthly budget, in whole units of the billing account's currency."
  type        = number

  validation {
    condition     = var.units >= 1 && floor(var.units) == var.units
    error_message = "A budget is at least 1, and whole."
  }
}
