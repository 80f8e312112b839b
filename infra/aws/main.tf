# The second archive: a bucket in AWS, and two roles. Each role can be assumed by one Google account, for at most an
# hour. AWS knows accounts.google.com, so that neither an identity provider nor a key is needed.

resource "aws_s3_bucket" "archive" {
  # checkov:skip=CKV_AWS_18: CloudTrail records who assumes a role, and the bucket is read only for a restore
  # checkov:skip=CKV_AWS_144: this bucket is itself a copy
  # checkov:skip=CKV_AWS_145: S3's own key is enough; a KMS key costs money, and the roles would need permissions for it
  # checkov:skip=CKV2_AWS_61: nothing in this bucket expires
  # checkov:skip=CKV2_AWS_62: nothing needs a notification of new files

  bucket = var.bucket
}

resource "aws_s3_bucket_public_access_block" "archive" {
  bucket = aws_s3_bucket.archive.id

  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_ownership_controls" "archive" {
  bucket = aws_s3_bucket.archive.id

  rule {
    object_ownership = "BucketOwnerEnforced"
  }
}

# When a file is overwritten, its older versions are kept.
resource "aws_s3_bucket_versioning" "archive" {
  bucket = aws_s3_bucket.archive.id

  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_server_side_encryption_configuration" "archive" {
  bucket = aws_s3_bucket.archive.id

  rule {
    apply_server_side_encryption_by_default {
      sse_algorithm = "AES256"
    }
  }
}

# Each role trusts only one account: the function that stores files cannot assume the role that deletes them.
data "aws_iam_policy_document" "trust" {
  for_each = { archive = var.archive_identity, erase = var.erase_identity }

  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]

    principals {
      type        = "Federated"
      identifiers = ["accounts.google.com"]
    }
    # for a service account's token, AWS calls the account's number `aud`, and the token's audience `oaud`
    condition {
      test     = "StringEquals"
      variable = "accounts.google.com:aud"
      values   = [each.value]
    }
    condition {
      test     = "StringEquals"
      variable = "accounts.google.com:sub"
      values   = [each.value]
    }
    condition {
      test     = "StringEquals"
      variable = "accounts.google.com:oaud"
      values   = ["lull-archive"]
    }
  }
}

resource "aws_iam_role" "archive" {
  name                 = var.role_name
  description          = "Stores lull's conversations; for the Google account ${var.archive_identity}."
  assume_role_policy   = data.aws_iam_policy_document.trust["archive"].json
  max_session_duration = 3600
}

# This role can neither read files nor delete any version of them.
data "aws_iam_policy_document" "store" {
  statement {
    actions   = ["s3:PutObject"]
    resources = ["${aws_s3_bucket.archive.arn}/conversations/*"]
  }
}

resource "aws_iam_role_policy" "store" {
  name   = "store"
  role   = aws_iam_role.archive.id
  policy = data.aws_iam_policy_document.store.json
}

resource "aws_iam_role" "erase" {
  name                 = "${var.role_name}-erase"
  description          = "Erases the data of people whom lull must forget; for the Google account ${var.erase_identity}."
  assume_role_policy   = data.aws_iam_policy_document.trust["erase"].json
  max_session_duration = 3600
}

# This role lists all versions of a file by its name, deletes them, and stores a new file with what other people said.
# It can read no file. Every deletion names a version, for which s3:DeleteObject is not needed.
data "aws_iam_policy_document" "erase" {
  statement {
    actions   = ["s3:DeleteObjectVersion", "s3:PutObject"]
    resources = ["${aws_s3_bucket.archive.arn}/conversations/*"]
  }
  statement {
    actions   = ["s3:ListBucketVersions"]
    resources = [aws_s3_bucket.archive.arn]

    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["conversations/*"]
    }
  }
}

resource "aws_iam_role_policy" "erase" {
  name   = "erase"
  role   = aws_iam_role.erase.id
  policy = data.aws_iam_policy_document.erase.json
}
