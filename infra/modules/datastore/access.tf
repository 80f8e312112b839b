# Roles for documents. Firestore's permissions apply to all documents of a database, and each predefined role that may
# create documents may also delete them.

resource "google_project_iam_custom_role" "this" {
  for_each = {
    inbox = {
      description = "Store updates and read chats."
      permissions = [
        "datastore.entities.create", # an update, an incident
        "datastore.entities.get",    # the chat's generation
      ]
    }
    describe = {
      description = "Store descriptions of files, find the chats that wait for them, and notify these chats."
      permissions = [
        "datastore.entities.create", # a file's description, an update
        "datastore.entities.get",
        "datastore.entities.list", # to find who sent the file
        "datastore.entities.update",
      ]
    }
    canary = {
      description = "Read a canary's progress, and store the last report."
      permissions = [
        "datastore.entities.create",
        "datastore.entities.get",
        "datastore.entities.update",
      ]
    }
    sweep = {
      description = "Find unfinished work, and store the progress of the search."
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

  # the project may have other databases
  condition = {
    title       = "${var.name}-database"
    description = "Only the database of ${var.name}."
    expression  = "resource.name == \"projects/${var.project}/databases/${google_firestore_database.this.name}\""
  }
}
