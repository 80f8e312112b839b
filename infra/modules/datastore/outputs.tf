output "roles" {
  description = "The roles for documents: inbox (create, read), sweep (query and write over too), user (delete too)."
  value       = local.roles
}

output "condition" {
  description = "What narrows such a role to this database."
  value       = local.condition
}
