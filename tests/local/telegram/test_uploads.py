from local.telegram.messages import MessageField
from local.telegram.uploads import UploadedFile, describe
from tests.local.telegram.test_images import JPEG, PNG


def test_a_photo_is_told_by_its_content() -> None:
    photo = describe(MessageField.PHOTO, UploadedFile(name="x.bin", mime_type="application/octet-stream", content=JPEG))
    assert (photo.mime_type, photo.name, photo.width, photo.height) == ("image/jpeg", "photo.jpg", 640, 480)


def test_a_document_is_what_its_sender_says() -> None:
    document = describe(MessageField.DOCUMENT, UploadedFile(name="x.bin", mime_type="application/zip", content=PNG))
    assert (document.mime_type, document.name, document.size) == ("application/zip", "x.bin", len(PNG))


def test_a_photo_that_is_no_picture_has_no_width() -> None:
    assert describe(MessageField.PHOTO, UploadedFile(name="x", mime_type="text/plain", content=b"hello")).width == 0
