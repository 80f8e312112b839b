"""Lull's knowledge of a file in the side panel, while the whole local cloud runs."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from local.telegram.files import FileStore
from local.telegram.messages import MessageField as Kind
from local.telegram.store import WorldStore
from local.telegram.uploads import UploadedFile, describe
from shared.base.model_call import ModelCall
from shared.chat.store.paths import media_path, reference_path
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.reference import FileReference
from shared.values.stored_media import StoredMedia
from tests.local.page.visitor import PHONE, Desks, Visits
from tests.media_files import png
from tests.shared.examples import NOW
from tests.stories.play import Sandbox

MODEL = "gemini-3.5-flash-lite"
CALL = ModelCall(model=MODEL, prompt_tokens=1_200, output_tokens=40, ms=900)
HARBOUR = Description(outcome=DescriptionOutcome.DESCRIBED, shows="A harbour at dusk.", source=MODEL, call=CALL)


@pytest.fixture
async def cloud_visits(desks: Desks, sandbox: Sandbox) -> AsyncIterator[Visits]:
    visits = Visits(desks, sandbox.cloud.telegram_url)
    yield visits
    await visits.close()
    assert visits.problems == []


def unique_id_of(photo: bytes) -> str:
    """Give the id that the local Telegram will give a photo."""
    upload = UploadedFile(name="a.png", mime_type="image/png", content=photo)
    return FileStore(WorldStore(None), None).add(describe(Kind.PHOTO, upload), photo).unique_id


async def test_a_photo_is_told_with_who_described_it_and_what_that_took(
    sandbox: Sandbox, cloud_visits: Visits, pictures: Path
) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    content = png((7, 77, 177), 320, 200)
    unique_id = unique_id_of(content)
    kept = StoredMedia(unique_id=unique_id, kind=MediaKind.PHOTO, description=HARBOUR, tries=1, updated_at=NOW)
    await sandbox.firestore.document(media_path(unique_id)).set(kept.model_dump())
    await sandbox.model.will_say("A harbour.")
    visitor = await cloud_visits.visit(path=f"/#/{ann.id}/{chat.key}")
    await chat.sends_photo(ann, content, "where is that?")
    files = visitor.page.locator('[data-step="Files"]')
    await expect(files.locator(".state").first).to_have_text("described")
    await expect(files.locator("[data-file=photo] dd").first).to_have_text("A harbour at dusk.")
    await expect(files.get_by_role("list", name="Who was asked")).to_contain_text("Curated files nothing there")
    await expect(files).to_contain_text(MODEL)
    await visitor.page.screenshot(path=pictures / "files-desktop.png")
    phone = await cloud_visits.visit(PHONE, path=f"/#/{ann.id}/{chat.key}", color_scheme="dark")
    await phone.button("What lull did").first.click()
    await phone.page.locator('[data-step="Files"]').scroll_into_view_if_needed()
    assert await phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await phone.page.screenshot(path=pictures / "files-phone.png")
    assert await chat.answers() == ["A harbour."]


async def test_the_panel_follows_when_the_description_comes_later(sandbox: Sandbox, cloud_visits: Visits) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    content = png((8, 78, 178), 64, 48)
    await sandbox.model.will_say("I cannot tell yet.")
    await chat.sends_photo(ann, content, "what is it?")
    await chat.answers()
    await chat.rests()
    # this cloud describes no files, so the test writes the notes of a tick and of describe_media
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=unique_id_of(content))
    sent = FileReference(
        ref=ref, agent="lull", chat=chat.chat_key.id, person=ann.id, message_ids=(1,), at=NOW, try_at=NOW
    )
    await sandbox.firestore.document(reference_path(sent.id)).set(sent.model_dump())
    visitor = await cloud_visits.visit(path=f"/#/{ann.id}/{chat.key}")
    state = visitor.page.locator('[data-step="Files"] .state').first
    await expect(state).to_have_text("not yet")
    kept = StoredMedia(unique_id=ref.unique_id, kind=ref.kind, description=HARBOUR, tries=1, updated_at=NOW)
    await sandbox.firestore.document(media_path(ref.unique_id)).set(kept.model_dump())
    await expect(state).to_have_text("described")
    await expect(visitor.page.get_by_test_id("cost")).to_have_text("Cost: $0.00046.")
