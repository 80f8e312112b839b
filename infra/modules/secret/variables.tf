variable "name" {
  description = "The secret's id."
  type        = string
}

variable "value" {
  description = "The value. It is write-only: neither plans nor the state contain it."
  type        = string
  sensitive   = true
  ephemeral   = true

  validation {
    condition     = length(var.value) > 0
    error_message = "A secret's value is not empty."
  }
}

variable "value_version" {
  description = "A number. Changing it writes the value again."
  type        = number
}
