variable "name" {
  description = "The secret's id."
  type        = string
}

variable "value" {
  description = "The value. It is written, never read back, and stands in no plan and no state."
  type        = string
  sensitive   = true
  ephemeral   = true

  validation {
    condition     = length(var.value) > 0
    error_message = "A secret's value is not empty."
  }
}

variable "value_version" {
  description = "Another number than before has the value written anew."
  type        = number
}
