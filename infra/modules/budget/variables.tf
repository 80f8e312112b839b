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

variable "units" {
  description = "What a month may cost, in whole units of the billing account's currency."
  type        = number

  validation {
    condition     = var.units >= 1 && floor(var.units) == var.units
    error_message = "A budget is at least 1, and whole."
  }
}
