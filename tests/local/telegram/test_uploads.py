from local.telegram.messages import MediaKind
from local.telegram.uploads import Upload, describe
from tests.local.telegram.test_images import JPEG, PNG


def test_a_photo_is_told_by_its_content() -> None:
    photo = describe(MediaKind.PHOTO, Upload(name="x.bin", mime_type="application/octet-stream", content=JPEG))
    assert (photo.mime_type, photo.name, photo.width, photo.height) == ("image/jpeg", "photo.jpg", 640, 480)


def test_a_document_is_what_its_sender_says() -> None:
    document = describe(MediaKind.DOCUMENT, Upload(name="x.bin", mime_type="application/zip", content=PNG))
    assert (document.mime_type, document.name, document.size) == ("application/zip", "x.bin", len(PNG))


def test_a_photo_that_is_no_picture_has_no_width() -> None:
    assert describe(MediaKind.PHOTO, Upload(name="x", mime_type="text/plain", content=b"hello")).width == 0
