# Each write of an indexed field also writes index entries, which takes time; a map or a list needs one entry for each
# value. So fields that no query uses are not indexed. The keys are collection groups: `past` is below plans, `window`
# and `screen` are below chats, and `compression` is below conversations.

locals {
  unindexed = {
    accounts = ["lent", "sums"]
    bots     = ["blocked", "console_off_at", "console_url", "groups", "invitations", "keeping", "limits", "people", "rules", "silenced", "waits"]
    budgets  = ["lent", "sums"]
    chats = [
      "asked_access_at", "generation", "is_turned_away", "key.topic_id", "keyboards", "lease", "purse.closed",
      "purse.open", "purse.refused", "purse.soft_for", "purse.soft_until", "purse.sums", "purse.told", "purse.until",
      "purse.usual", "seq", "shown_seq", "stamp", "unpaged", "waits_until",
    ]
    console_records = [
      "about", "action", "agents",
    ]
    compression = ["made_at", "text"]
    conversations = [
      "abbreviation", "answer_times", "authors", "cost", "decided", "failures", "failed_seq", "history", "is_cost_partial", "is_current",
      "is_turned_away", "last_words", "looked_turn", "noted_seq", "opening", "participants", "titled_turn", "topics",
    ]
    curations    = ["edits"]
    events       = ["instruction", "known_links", "last", "text"]
    exchanges    = ["body"]
    inbox        = ["raw", "trace"]
    incidents    = ["body", "why"]
    lookups      = ["at", "text"]
    marks        = ["answered", "message_id", "seq", "turn", "verdict"]
    media        = ["claim", "claimed_until", "description", "facts", "next_try_at", "parts", "tries", "updated_at"]
    memories     = ["memories", "used"]
    memberships  = ["chat_id", "fresh_until", "is_member", "places"]
    messages     = ["entries", "names", "people", "tick"]
    past         = ["answers", "calls", "notes", "prompt", "tasks", "trace"]
    observations = ["conversation", "entries", "happened", "supersedes", "text"]
    plans        = ["answers", "calls", "notes", "prompt", "tasks", "trace"]
    references = [
      "message_ids", "ref.description", "ref.duration_s", "ref.emoji", "ref.file_id", "ref.height", "ref.is_spoiler",
      "ref.mime_type", "ref.size", "ref.width", "ref.words",
    ]
    screen   = ["activity", "changed_at", "draft", "messages", "notice"]
    requests = ["chat", "decided_at", "id", "name", "title", "username", "words"]
    segments = [
      "chat", "conversation", "first_at", "first_seq", "last_seq", "messages", "notes", "terms_before",
    ]
    takeouts  = ["counts", "outcomes", "parts", "place"]
    summaries = ["made_at", "ranges", "shown", "text"]
    usage     = ["by", "expired", "models", "used"]
    window    = ["entries"]
  }
  unindexed_fields = merge([for collection, fields in local.unindexed :
    { for field in fields : "${collection}.${field}" => { collection = collection, field = field } }
  ]...)

  # Collections whose documents Firestore deletes after the time in `expires_at`. This may take a day, so readers must
  # not rely on it.
  expiring = ["accounts", "console_records", "entities", "events", "exchanges", "inbox", "incidents", "lookups", "notices", "past", "requests", "screen", "takeouts", "usage"]
}

resource "google_firestore_field" "unindexed" {
  for_each = local.unindexed_fields

  database   = google_firestore_database.this.name
  collection = each.value.collection
  field      = each.value.field
  skip_wait  = true # nothing depends on this change, which takes hours in a large database

  index_config {}
}

resource "google_firestore_field" "expires_at" {
  for_each = toset(local.expiring)

  database   = google_firestore_database.this.name
  collection = each.key
  field      = "expires_at"
  skip_wait  = true

  # data that outlives the deployment must still expire, but deleting this resource would disable that
  deletion_policy = var.delete_data ? "DELETE" : "ABANDON"

  # an index of times that only grow would have a hotspot at its end
  index_config {}
  ttl_config {}
}
