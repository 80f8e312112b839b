"""Small PDFs, written by hand."""


def pdf_of(*pages: str, title: str = "") -> bytes:
    """Make a PDF with a line of text on each page, without cross references, which the reader repairs."""
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(pages)))
    parts = [
        f"1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 3 0 obj<</Title({title})>>endobj",
        f"2 0 obj<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>endobj",
    ]
    for at, line in enumerate(pages):
        drawn = f"BT /F1 12 Tf 20 100 Td ({line}) Tj ET" if line else ""
        font = "<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
        parts += [
            f"{4 + 2 * at} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]"
            f"/Resources{font}/Contents {5 + 2 * at} 0 R>>endobj",
            f"{5 + 2 * at} 0 obj<</Length {len(drawn)}>>stream\n{drawn}\nendstream endobj",
        ]
    return ("%PDF-1.4\n" + "\n".join(parts) + "\ntrailer<</Root 1 0 R/Info 3 0 R>>\n%%EOF").encode()
