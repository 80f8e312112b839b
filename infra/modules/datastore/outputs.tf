output "roles" {
  description = "The roles for documents: inbox (create, read, write over), sweep (query too), user (delete too)."
  value       = local.roles
}

output "condition" {
  description = "What narrows such a role to this database."
  value       = local.condition
}
