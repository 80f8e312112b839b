"""Regions in which lull can be deployed: those with functions, Cloud Scheduler and Cloud Tasks.

Cloud Tasks has the fewest regions of the three. This is its list (cloud.google.com/tasks/docs/locations, 2026-11-28).
"""

from typing import Final

REGIONS: Final = (
    "asia-east1",
    "asia-east2",
    "asia-northeast1",
    "asia-northeast2",
    "asia-northeast3",
    "asia-south1",
    "asia-southeast1",
    "asia-southeast2",
    "australia-southeast1",
    "europe-central2",
    "europe-west1",
    "europe-west2",
    "europe-west3",
    "europe-west6",
    "northamerica-northeast1",
    "southamerica-east1",
    "us-central1",
    "us-east1",
    "us-east4",
    "us-west1",
    "us-west2",
    "us-west3",
    "us-west4",
)
#: regions that lack one of these services
OTHERS: Final = (
    "africa-south1",
    "asia-south2",
    "asia-southeast3",
    "australia-southeast2",
    "europe-north1",
    "europe-north2",
    "europe-southwest1",
    "europe-west10",
    "europe-west12",
    "europe-west4",
    "europe-west8",
    "europe-west9",
    "me-central1",
    "me-central2",
    "me-west1",
    "northamerica-northeast2",
    "northamerica-south1",
    "southamerica-west1",
    "us-east5",
    "us-south1",
)
#: names of Firestore's multi-regions
MULTI_REGIONS: Final = ("eur3", "nam5", "nam7")
