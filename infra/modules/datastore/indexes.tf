# The indexes that the queries of shared/adapters need besides the automatic ones. The emulator answers without them,
# Firestore does not: a test compares this list with what the code declares.

locals {
  composite_indexes = {
    # the sweep: updates that nobody read, oldest first, whatever the chat
    unread_updates = {
      collection = "inbox"
      scope      = "COLLECTION_GROUP"
      fields     = [["read", "ASCENDING"], ["received_at", "ASCENDING"]]
    }
    # what went wrong in one way, newest first
    incidents_of_kind = {
      collection = "incidents"
      scope      = "COLLECTION"
      fields     = [["kind", "ASCENDING"], ["at", "DESCENDING"]]
    }
    # a chat's open reminders, by when they come
    reminders_of_chat = {
      collection = "events"
      scope      = "COLLECTION"
      fields     = [["open_in", "ASCENDING"], ["next_at", "ASCENDING"]]
    }
    # who is still to be told of a file
    open_references_of_file = {
      collection = "references"
      scope      = "COLLECTION"
      fields     = [["is_open", "ASCENDING"], ["ref.unique_id", "ASCENDING"]]
    }
    # the sweep, and what describes: files that nobody came for, those first that have waited longest
    open_references = {
      collection = "references"
      scope      = "COLLECTION"
      fields     = [["is_open", "ASCENDING"], ["try_at", "ASCENDING"]]
    }
    # what was sent in a chat, and what a person sent
    references_of_chat = {
      collection = "references"
      scope      = "COLLECTION"
      fields     = [["chat", "ASCENDING"], ["at", "ASCENDING"]]
    }
    references_of_person = {
      collection = "references"
      scope      = "COLLECTION"
      fields     = [["person", "ASCENDING"], ["at", "ASCENDING"]]
    }
    # the groups in which a person was seen, those first in which they were seen last
    memberships_of_person = {
      collection = "memberships"
      scope      = "COLLECTION"
      fields     = [["agent", "ASCENDING"], ["person", "ASCENDING"], ["seen_at", "DESCENDING"]]
    }
    # what was observed in a place, whatever the conversation, the newest first
    observations_of_place = {
      collection = "observations"
      scope      = "COLLECTION_GROUP"
      fields     = [["place", "ASCENDING"], ["made_at", "DESCENDING"]]
    }
    # a chat's conversations, those first in which something was said last
    conversations_by_date = {
      collection = "conversations"
      scope      = "COLLECTION"
      fields     = [["chat", "ASCENDING"], ["updated_at", "DESCENDING"]]
    }
  }
}

resource "google_firestore_index" "this" {
  for_each = local.composite_indexes

  database    = google_firestore_database.this.name
  collection  = each.value.collection
  query_scope = each.value.scope

  dynamic "fields" {
    for_each = each.value.fields

    content {
      field_path = fields.value[0]
      order      = fields.value[1]
    }
  }
  fields {
    # Firestore appends it, in the last field's direction; left out, it would look like a change for ever
    field_path = "__name__"
    order      = each.value.fields[length(each.value.fields) - 1][1]
  }

  # of a database that holds much; one that is not waited for to the end would be begun anew
  timeouts {
    create = "90m"
  }

  depends_on = [var.indexes_after]
}
