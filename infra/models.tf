# The functions that call models, and the settings and secrets that they need for it.
locals {
  asking_models = ["describe_media", "summarize", "tick"]

  # The settings that name models, besides LULL_MODEL. Without Gemini, a setting that is not set names no model
  # (shared/wiring/settings/model_functions.py).
  other_model_settings = [
    "LULL_EMBEDDING_MODEL", "LULL_IMAGE_MODEL", "LULL_JUDGE_MODEL", "LULL_MEDIA_MODEL", "LULL_MODELS", "LULL_NOTES_MODEL",
    "LULL_SPEECH_MODEL",
  ]
  named_models = split(",", join(",", concat(
    [coalesce(lookup(var.settings, "LULL_MODEL", ""), "the default, which is Gemini's")],
    [for setting in local.other_model_settings : lookup(var.settings, setting, "no")],
  )))
  # a model is Gemini's unless its name begins with another provider's; searching with Google uses Gemini, too
  uses_gemini = lookup(var.settings, "LULL_SEARCH", "no") == "google" || anytrue([for model in local.named_models :
    !contains(concat(["", "no"], keys(var.model_providers)), lower(split(":", trimspace(model))[0]))
  ])
  has_gemini_key = local.uses_gemini && !var.vertex_ai
  has_providers  = length(var.model_providers) > 0

  environment_of_models = merge(
    var.vertex_ai ? { GOOGLE_GENAI_USE_ENTERPRISE = "true" } : {},
    local.has_providers ? { LULL_PROVIDERS = jsonencode(var.model_providers) } : {},
  )
  secrets_of_models = merge(
    local.has_gemini_key ? { GEMINI_API_KEY = "gemini-api-key" } : {},
    local.has_providers ? { LULL_PROVIDER_KEYS = "provider-keys" } : {},
  )
}
