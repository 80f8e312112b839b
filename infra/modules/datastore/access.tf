# What a function may do with documents. Firestore's permissions are for all documents of a database or none, and every
# predefined role that lets create lets delete too.

resource "google_project_iam_custom_role" "this" {
  for_each = {
    inbox = {
      description = "Store an update, read a chat."
      permissions = [
        "datastore.entities.create", # an update, an incident
        "datastore.entities.get",    # the chat's generation
      ]
    }
    describe = {
      description = "Keep what files show, find who waits for it, and tell their chats."
      permissions = [
        "datastore.entities.create", # what a file shows, an update
        "datastore.entities.get",
        "datastore.entities.list", # who sent it
        "datastore.entities.update",
      ]
    }
    canary = {
      description = "See how far a canary has come, and keep the last report."
      permissions = [
        "datastore.entities.create",
        "datastore.entities.get",
        "datastore.entities.update",
      ]
    }
    sweep = {
      description = "Find what was left over, and keep how far it was looked for."
      permissions = [
        "datastore.entities.create",
        "datastore.entities.get",
        "datastore.entities.list",
        "datastore.entities.update",
      ]
    }
  }

  role_id     = "${replace(var.name, "-", "_")}_${each.key}_${var.suffix}"
  title       = "${var.name}: ${each.key}"
  description = each.value.description
  permissions = each.value.permissions
}

locals {
  roles = merge(
    { for name, role in google_project_iam_custom_role.this : name => role.name },
    { user = "roles/datastore.user" },
  )

  # The project may have other databases.
  condition = {
    title       = "${var.name}-database"
    description = "Only the database of ${var.name}."
    expression  = "resource.name == \"projects/${var.project}/databases/${google_firestore_database.this.name}\""
  }
}
