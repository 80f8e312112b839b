# What the variables take and refuse, and what follows from their values alone; nothing is asked of the provider.
mock_provider "google" {}

variables {
  project        = "acme-lull"
  bot_tokens     = { lull = "123456:not-a-token" }
  webhook_secret = "not-a-secret-that-telegram-was-ever-told"
  console_secret = "not-a-secret-of-any-console-anywhere"
  gemini_api_key = "not-a-key"
}

run "the_smallest_and_shortest" {
  command = plan

  variables {
    project           = "a-b-c0"
    region            = "a-b09"
    name              = "m0"
    environment       = "0"
    agents            = ["m_-09"]
    bot_tokens        = { "m_-09" = "09:aZ_-09" }
    webhook_secret    = join("", [for n in range(32) : "0"])
    console_secret    = join("", [for n in range(32) : " "])
    vertex_ai         = true
    gemini_api_key    = null
    backups           = { daily_days = 1, weekly_days = 98 }
    archive           = true
    archive_s3        = { bucket = "b", region = "r", role = "arn:aws:iam::123456789012:role/lull", erase_role = "arn:aws-cn:iam::000000000000:role/erase" }
    media_days        = 1
    alert_emails      = ["a@b"]
    billing_account   = "09AF09-09AF09-09AF09"
    runtime           = "python311"
    database_location = "eur3"
    instances         = { tick = { max = 1 } }
    settings          = { LULL_LATER_S = "1" }
  }
  assert {
    condition     = local.archive_location == "EU" && lookup(local.multi_regions, "nam7", null) == "US"
    error_message = "Buckets are in ${local.archive_location}, or elsewhere for another database."
  }
}

run "the_largest_and_longest" {
  command = plan

  variables {
    project           = format("z-09%s9", join("", [for n in range(25) : "a"]))
    name              = format("a-09%s9", join("", [for n in range(8) : "b"]))
    environment       = format("09a_-%s", join("", [for n in range(58) : "z"]))
    webhook_secret    = format("aZ09_-%s", join("", [for n in range(250) : "9"]))
    backups           = { daily_days = 98, weekly_days = 1 }
    runtime           = "python314"
    database_location = "nam5"
    archive           = true
    archive_s3        = { bucket = "b", region = "r", role = "arn:aws:iam::123456789012:role/lull", erase_role = null }
  }
  assert {
    condition     = local.archive_location == "US"
    error_message = "Buckets are in ${local.archive_location}."
  }
}

run "too_small_or_too_short" {
  command = plan

  variables {
    project         = "acmel"
    name            = "m"
    environment     = ""
    agents          = []
    webhook_secret  = join("", [for n in range(31) : "a"])
    console_secret  = join("", [for n in range(31) : "a"])
    backups         = { daily_days = 0 }
    media_days      = 0
    alert_emails    = ["nobody"]
    billing_account = "mine"
    runtime         = "python310"
    region          = "europe"
    gemini_api_key  = null
    archive_s3      = { bucket = "b", region = "r", role = "arn:aws:iam::12345678901:role/lull", erase_role = null }
  }
  expect_failures = [var.project, var.name, var.environment, var.agents, var.webhook_secret, var.console_secret, var.backups, var.media_days, var.alert_emails, var.billing_account, var.runtime, var.region, var.gemini_api_key, var.archive_s3]
}

run "too_large_or_too_long" {
  command = plan

  variables {
    project         = join("", [for n in range(31) : "a"])
    name            = join("", [for n in range(14) : "a"])
    environment     = join("", [for n in range(64) : "a"])
    agents          = ["a.b"]
    bot_tokens      = { "a.b" = "1:a" }
    webhook_secret  = join("", [for n in range(257) : "a"])
    console_secret  = null
    backups         = { weekly_days = 99 }
    media_days      = 1.5
    alert_emails    = ["a@example.org"]
    billing_account = "012345-6789AB-CDEF0"
    runtime         = "python315"
    region          = "europe-west1-b"
    vertex_ai       = true
    archive_s3      = { bucket = "b", region = "r", role = "arn:aws:iam::123456789012:role/lull", erase_role = "lull-erase" }
  }
  expect_failures = [var.project, var.name, var.environment, var.agents, var.webhook_secret, var.console_secret, var.backups, var.media_days, var.alert_emails, var.billing_account, var.runtime, var.region, var.gemini_api_key, var.archive_s3]
}

# a project's id that is refused, too, spares the plan
run "a_name_that_cloud_run_keeps" {
  command = plan

  variables {
    project      = "acmel"
    agents       = ["eventlog"]
    bot_tokens   = { eventlog = "1:a" }
    alert_emails = ["a@mail.test", "a@example.net"]
  }
  expect_failures = [var.project, var.agents, var.alert_emails]
}

run "a_name_that_begins_as_what_cloud_run_keeps" {
  command = plan

  variables {
    project    = "acmel"
    agents     = ["_ahead"]
    bot_tokens = { _ahead = "1:a" }
  }
  expect_failures = [var.project, var.agents]
}

run "a_name_that_ends_as_what_cloud_run_keeps" {
  command = plan

  variables {
    project      = "acmel"
    agents       = ["healthz"]
    bot_tokens   = { healthz = "1:a" }
    alert_emails = ["a@example.com", "b@mail.test"]
  }
  expect_failures = [var.project, var.agents, var.alert_emails]
}

run "what_is_no_token" {
  command = plan

  variables {
    project    = "acmel"
    bot_tokens = { lull = "1:a token" }
  }
  expect_failures = [var.project, var.bot_tokens]
}

run "what_no_function_reads" {
  command = plan

  variables {
    settings  = { LULL_MODLE = "x" }
    instances = { tik = { max = 2 } }
  }
  expect_failures = [var.settings, var.instances]
}

# of other providers, the shortest name and the simplest address; and no model of Gemini's, so that no key is needed
run "other_providers_and_no_gemini" {
  command = plan

  variables {
    project             = "acmel"
    gemini_api_key      = null
    model_providers     = { a = "", "b-_9" = "https://x", c = "https://llm.example.org:8443/v1/a" }
    model_provider_keys = { a = "k", "b-_9" = "k", c = "none" }
    settings = {
      LULL_MEDIA_MODEL  = "A:x/y"
      LULL_MODEL        = "b-_9:x:1"
      LULL_MODELS       = "a:x, c:y,"
      LULL_NOTES_MODEL  = "no"
      LULL_SEARCH       = "https://search.example.org"
      LULL_SPEECH_MODEL = ""
    }
  }
  expect_failures = [var.project]
}

run "the_default_model_is_geminis" {
  command = plan

  variables {
    gemini_api_key      = null
    model_providers     = { a = "" }
    model_provider_keys = { a = "k" }
    settings            = { LULL_MODEL = "" }
  }
  expect_failures = [var.gemini_api_key]
}

run "one_model_of_geminis" {
  command = plan

  variables {
    gemini_api_key      = null
    model_providers     = { a = "" }
    model_provider_keys = { a = "k" }
    settings            = { LULL_MODEL = "a:x", LULL_MODELS = "a:x, gemini-3.5-flash-lite" }
  }
  expect_failures = [var.gemini_api_key]
}

run "the_search_of_geminis" {
  command = plan

  variables {
    gemini_api_key      = null
    model_providers     = { a = "" }
    model_provider_keys = { a = "k" }
    settings            = { LULL_MODEL = "a:x", LULL_SEARCH = "google" }
  }
  expect_failures = [var.gemini_api_key]
}

run "a_key_that_no_model_needs" {
  command = plan

  variables {
    project             = "acmel"
    model_providers     = { a = "" }
    model_provider_keys = { a = "k" }
    settings            = { LULL_MODEL = "a:x" }
  }
  expect_failures = [var.project]
}

run "a_provider_without_its_key" {
  command = plan

  variables {
    model_providers     = { a = "", b = "" }
    model_provider_keys = { a = "k", b = "" }
  }
  expect_failures = [var.model_provider_keys]
}

run "a_key_without_its_provider" {
  command = plan

  variables {
    model_providers     = { groq = "" }
    model_provider_keys = { groq = "k", grok = "k" }
  }
  expect_failures = [var.model_provider_keys]
}

run "a_provider_that_would_be_asked_in_the_open" {
  command = plan

  variables {
    model_providers     = { a = "http://llm.example.org/v1" }
    model_provider_keys = { a = "k" }
  }
  expect_failures = [var.model_providers]
}

run "an_address_with_a_password" {
  command = plan

  variables {
    model_providers     = { a = "https://user:word@llm.example.org/v1" }
    model_provider_keys = { a = "k" }
  }
  expect_failures = [var.model_providers]
}

run "an_address_with_a_query" {
  command = plan

  variables {
    model_providers     = { a = "https://llm.example.org/v1?key=k" }
    model_provider_keys = { a = "k" }
  }
  expect_failures = [var.model_providers]
}

run "a_providers_name_that_begins_with_a_digit" {
  command = plan

  variables {
    model_providers     = { "9a" = "" }
    model_provider_keys = { "9a" = "k" }
  }
  expect_failures = [var.model_providers]
}

run "a_providers_name_with_a_colon" {
  command = plan

  variables {
    model_providers     = { "a:b" = "" }
    model_provider_keys = { "a:b" = "k" }
  }
  expect_failures = [var.model_providers]
}
