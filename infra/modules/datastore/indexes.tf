# The indexes that the queries of shared/*/store need besides the automatic ones. The emulator needs none of them, but
# Firestore does, so a test compares this list with the indexes that the code declares.

locals {
  composite_indexes = {
    # the sweep: unread updates of all chats, the oldest first
    unread_updates = {
      collection = "inbox"
      scope      = "COLLECTION_GROUP"
      fields     = [["read", "ASCENDING"], ["received_at", "ASCENDING"]]
    }
    # incidents of one kind, the newest first
    incidents_of_kind = {
      collection = "incidents"
      scope      = "COLLECTION"
      fields     = [["kind", "ASCENDING"], ["at", "DESCENDING"]]
    }
    # the owner's verdicts on an agent's decisions, the newest first
    marks_of_agent = {
      collection = "marks"
      scope      = "COLLECTION"
      fields     = [["agent", "ASCENDING"], ["at", "DESCENDING"]]
    }
    # the console: an owner's actions there, the newest first
    console_records_by_date = {
      collection = "console_records"
      scope      = "COLLECTION"
      fields     = [["person", "ASCENDING"], ["at", "DESCENDING"]]
    }
    # a chat's open reminders, by the time at which they are due
    reminders_of_chat = {
      collection = "events"
      scope      = "COLLECTION"
      fields     = [["open_in", "ASCENDING"], ["next_at", "ASCENDING"]]
    }
    # messages that wait for the description of a file
    open_references_of_file = {
      collection = "references"
      scope      = "COLLECTION"
      fields     = [["is_open", "ASCENDING"], ["ref.unique_id", "ASCENDING"]]
    }
    # the sweep and the describing function: files that wait for a description, by the time of the next try
    open_references = {
      collection = "references"
      scope      = "COLLECTION"
      fields     = [["is_open", "ASCENDING"], ["try_at", "ASCENDING"]]
    }
    # files that were sent in a chat, and files that a person sent
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
    # the console: an agent's files, the newest first (all, of one kind, of one sticker set); one file; waiting files
    references_of_agent = {
      collection = "references"
      scope      = "COLLECTION"
      fields     = [["agent", "ASCENDING"], ["at", "DESCENDING"]]
    }
    references_of_kind = {
      collection = "references"
      scope      = "COLLECTION"
      fields     = [["agent", "ASCENDING"], ["ref.kind", "ASCENDING"], ["at", "DESCENDING"]]
    }
    references_of_set = {
      collection = "references"
      scope      = "COLLECTION"
      fields     = [["agent", "ASCENDING"], ["ref.set_name", "ASCENDING"], ["at", "DESCENDING"]]
    }
    agents_of_file = {
      collection = "references"
      scope      = "COLLECTION"
      fields     = [["agent", "ASCENDING"], ["ref.unique_id", "ASCENDING"]]
    }
    open_references_of_agent = {
      collection = "references"
      scope      = "COLLECTION"
      fields     = [["agent", "ASCENDING"], ["is_open", "ASCENDING"]]
    }
    # usage in a month, the newest first: of all, of an agent, of a person, of a chat
    usage_of_all = {
      collection = "usage"
      scope      = "COLLECTION"
      fields     = [["month", "ASCENDING"], ["at", "DESCENDING"]]
    }
    usage_of_agent = {
      collection = "usage"
      scope      = "COLLECTION"
      fields     = [["agent", "ASCENDING"], ["month", "ASCENDING"], ["at", "DESCENDING"]]
    }
    usage_of_person = {
      collection = "usage"
      scope      = "COLLECTION"
      fields     = [["agent", "ASCENDING"], ["month", "ASCENDING"], ["person", "ASCENDING"], ["at", "DESCENDING"]]
    }
    usage_of_chat = {
      collection = "usage"
      scope      = "COLLECTION"
      fields     = [["chat", "ASCENDING"], ["month", "ASCENDING"], ["at", "DESCENDING"]]
    }
    # the groups in which a person was seen, the most recent first
    memberships_of_person = {
      collection = "memberships"
      scope      = "COLLECTION"
      fields     = [["agent", "ASCENDING"], ["person", "ASCENDING"], ["seen_at", "DESCENDING"]]
    }
    # requests for access in one state, the newest first
    requests_of_state = {
      collection = "requests"
      scope      = "COLLECTION"
      fields     = [["agent", "ASCENDING"], ["state", "ASCENDING"], ["at", "DESCENDING"]]
    }
    # observations of all conversations in a place, the newest first
    observations_of_place = {
      collection = "observations"
      scope      = "COLLECTION_GROUP"
      fields     = [["place", "ASCENDING"], ["made_at", "DESCENDING"]]
    }
    # pages of all transcripts in which a person appears
    pages_with = {
      collection = "messages"
      scope      = "COLLECTION_GROUP"
      fields     = [["people", "CONTAINS"], ["first_seq", "ASCENDING"]]
    }
    # a chat's conversations, the most recently active first
    conversations_by_date = {
      collection = "conversations"
      scope      = "COLLECTION"
      fields     = [["chat", "ASCENDING"], ["updated_at", "DESCENDING"]]
    }
    # the console's list: an agent's conversations, or those in one kind of chat
    conversations_of_agent = {
      collection = "conversations"
      scope      = "COLLECTION"
      fields     = [["agent", "ASCENDING"], ["updated_at", "DESCENDING"]]
    }
    conversations_of_kind = {
      collection = "conversations"
      scope      = "COLLECTION"
      fields     = [["agent", "ASCENDING"], ["chat_kind", "ASCENDING"], ["updated_at", "DESCENDING"]]
    }
    # the console's live view: an agent's conversations, by their last write
    conversations_changed_lately = {
      collection = "conversations"
      scope      = "COLLECTION"
      fields     = [["agent", "ASCENDING"], ["changed_at", "ASCENDING"]]
    }
    # the web conversation that continues when the console's page is opened
    conversations_of_channel = {
      collection = "conversations"
      scope      = "COLLECTION"
      fields     = [["channel", "ASCENDING"], ["place", "ASCENDING"], ["updated_at", "DESCENDING"]]
    }
    # searching messages that the asking person may see: by terms, the newest first
    matches_of_places = {
      collection = "segments"
      scope      = "COLLECTION_GROUP"
      fields     = [["place", "ASCENDING"], ["terms_set", "CONTAINS"], ["last_at", "DESCENDING"]]
    }
    matches_of_agent = {
      collection = "segments"
      scope      = "COLLECTION_GROUP"
      fields     = [["agent", "ASCENDING"], ["terms_set", "CONTAINS"], ["last_at", "DESCENDING"]]
    }
    matches_of_conversation = {
      collection = "segments"
      scope      = "COLLECTION"
      fields     = [["terms_set", "CONTAINS"], ["last_at", "DESCENDING"]]
    }
    # the amount of searchable data, and messages within a range of days
    segments_of_places = {
      collection = "segments"
      scope      = "COLLECTION_GROUP"
      fields     = [["place", "ASCENDING"], ["last_at", "DESCENDING"]]
    }
    segments_of_agent = {
      collection = "segments"
      scope      = "COLLECTION_GROUP"
      fields     = [["agent", "ASCENDING"], ["last_at", "DESCENDING"]]
    }
  }

  # Indexes for searching by meaning. `dimension` is the length of the vectors that lull requests from the embedding
  # model; vectors of another model are not searched.
  vector_indexes = {
    near_of_place          = { collection = "segments", scope = "COLLECTION_GROUP", fields = ["embedding_model", "place"] }
    near_of_agent          = { collection = "segments", scope = "COLLECTION_GROUP", fields = ["agent", "embedding_model"] }
    near_of_conversation   = { collection = "segments", scope = "COLLECTION", fields = ["embedding_model"] }
    abbreviations_of_place = { collection = "conversations", scope = "COLLECTION", fields = ["embedding_model", "place"] }
    abbreviations_of_agent = { collection = "conversations", scope = "COLLECTION", fields = ["agent", "embedding_model"] }
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
      field_path   = fields.value[0]
      order        = fields.value[1] == "CONTAINS" ? null : fields.value[1]
      array_config = fields.value[1] == "CONTAINS" ? "CONTAINS" : null
    }
  }
  fields {
    # Firestore appends this field, in the last field's direction; if it were left out, each plan would show a change
    field_path = "__name__"
    order      = each.value.fields[length(each.value.fields) - 1][1]
  }

  # Enough for a large database. If Terraform stopped waiting, it would start the index again.
  timeouts {
    create = "90m"
  }

  depends_on = [var.indexes_after]
}

resource "google_firestore_index" "vectors" {
  for_each = local.vector_indexes

  database    = google_firestore_database.this.name
  collection  = each.value.collection
  query_scope = each.value.scope

  dynamic "fields" {
    for_each = each.value.fields

    content {
      field_path = fields.value
      order      = "ASCENDING"
    }
  }
  fields {
    # Firestore puts this field before the vector; if it were left out, each plan would show a change
    field_path = "__name__"
    order      = "ASCENDING"
  }
  fields {
    field_path = "embedding"
    vector_config {
      dimension = 768
      flat {}
    }
  }

  # Enough for a large database. If Terraform stopped waiting, it would start the index again.
  timeouts {
    create = "90m"
  }

  depends_on = [var.indexes_after]
}
