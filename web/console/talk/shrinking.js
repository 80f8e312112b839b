// Reduces photos in size, as Telegram's apps do. So they are sent quickly, and without the place and the time that a
// camera stores in them. A photo that is sent as a file is not changed.
const LONGEST_SIDE = 2560;
const QUALITY = 0.87;
const PHOTOS = ["image/jpeg", "image/heic", "image/heif"];
const SMALL_BYTES = 2 ** 20;

const mustShrink = ({ type, size }) => PHOTOS.includes(type) || (["image/png", "image/webp"].includes(type) && size > SMALL_BYTES);

function drawn(picture) {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff"; // a JPEG has no transparency
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}

/** The photo to send; the file itself if it is not a photo, or if this browser cannot read it. */
export async function shrunk(file) {
  if (!mustShrink(file)) return file;
  const picture = await createImageBitmap(file).catch(() => null);
  const made = picture && (await drawn(picture));
  picture?.close();
  if (!made || (!PHOTOS.includes(file.type) && made.size >= file.size)) return file;
  return new File([made], `${file.name.replace(/\.\w+$/, "")}.jpg`, { type: "image/jpeg" });
}
