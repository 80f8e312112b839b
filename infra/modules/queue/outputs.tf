output "id" {
  description = "The queue's full name."
  value       = google_cloud_tasks_queue.this.id
}

output "name" {
  description = "The queue's name in its region."
  value       = google_cloud_tasks_queue.this.name
}

output "caller" {
  description = "The account that delivers the queue's tasks: its e-mail address, IAM member and full name."
  value = {
    email  = google_service_account.caller.email
    member = google_service_account.caller.member
    name   = google_service_account.caller.name
  }
}
