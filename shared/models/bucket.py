"""A bucket of another cloud, and the role that may write there."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints


class S3Bucket(BaseModel):
    """A bucket of S3, its region, and the role that Google's word for the function is exchanged for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bucket: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$")]
    region: Annotated[str, StringConstraints(pattern=r"^[a-z]{2}(-[a-z]+)+-[0-9]$")]
    role: Annotated[str, StringConstraints(pattern=r"^arn:aws[a-z-]*:iam::[0-9]{12}:role/[\w+=,.@/-]+$")]
