// Files that are to be sent to a chat: the kind as which each is sent, the albums that they form, and what the browser
// can read from them.

export const LARGEST = 20 * 2 ** 20; // the largest file that a bot can fetch (Bot API, getFile)
const LARGEST_PHOTO = 10 * 2 ** 20; // Bot API, sendPhoto
const MOST_TOGETHER = 10;
const PHOTOS = ["image/png", "image/jpeg", "image/webp"];
const ALBUMS = [["photo", "video"], ["document"], ["audio"]];
const CLIPS = ["audio", "voice", "video", "video_note"];
const PATIENCE_MS = 4000;

// Conditions for sending a file as one of these kinds: the pattern of its type, and the pattern of its name, which
// counts if the browser does not know the type.
const MUST_BE = {
  voice: [/^audio\/|^video\/ogg$/, /\.(ogg|oga|opus|mp3|m4a|wav)$/i, "an audio file"],
  audio: [/^audio\//, /\.(ogg|oga|opus|mp3|m4a|wav|flac)$/i, "an audio file"],
  video_note: [/^video\//, /\.(mp4|webm|mov)$/i, "a video"],
  sticker: [/^image\/(webp|png)$|^video\/webm$/, /\.(webp|png|tgs|webm)$/i, "a sticker (WebP, PNG, TGS or WebM)"],
};

const isWrong = (file, kind) => {
  const [type, name] = MUST_BE[kind] || [];
  return Boolean(type) && !type.test(file.type) && !(!file.type && name.test(file.name)) && !/\.tgs$/i.test(file.name);
};

export function kindOf({ type, size }) {
  if (PHOTOS.includes(type)) return size <= LARGEST_PHOTO ? "photo" : "document";
  if (type === "image/gif") return "animation";
  if (type.startsWith("video/")) return "video";
  return type.startsWith("audio/") ? "audio" : "document";
}

/** {items, problem}: the files of a list that can be sent, and sentences about the others (null if all can be sent). */
export function attachments(list, kind) {
  const files = [...(list || [])];
  const large = files.filter((file) => file.size > LARGEST);
  const empty = files.filter((file) => file.size === 0);
  const wrong = files.filter((file) => ![...large, ...empty].includes(file) && isWrong(file, kind));
  const items = files
    .filter((file) => ![...large, ...empty, ...wrong].includes(file))
    .map((file) => ({ file, kind: kind || kindOf(file), spoiler: false }));
  const named = (those) => those.map((file) => file.name).join(", ");
  const problems = [
    large.length && `Bots can't fetch files over 20 MB from Telegram: ${named(large)}.`,
    wrong.length && `Not ${MUST_BE[kind][2]}: ${named(wrong)}. Use “File” instead.`,
    empty.length && `There is nothing in ${named(empty)}.`,
  ].filter(Boolean);
  return { items, problem: problems.join(" ") || null };
}

/** The messages and albums as which the items are sent, in order. */
export function batches(items) {
  const made = [];
  for (const item of items) {
    const album = ALBUMS.find((kinds) => kinds.includes(item.kind));
    const last = made.at(-1);
    if (album?.includes(last?.[0].kind) && last.length < MOST_TOGETHER) last.push(item);
    else made.push([item]);
  }
  return made;
}

/**
 * The data that is sent beside a file's bytes, as far as the browser can read it: {duration, width, height, spoiler}.
 */
export async function about({ file, kind, spoiler, duration }) {
  const known = CLIPS.includes(kind) ? await measured(file) : {};
  return { ...known, ...(duration ? { duration } : {}), spoiler };
}

function measured(file) {
  const clip = document.createElement(file.type.startsWith("audio/") ? "audio" : "video");
  const address = URL.createObjectURL(file);
  const look = new Promise((resolve) => {
    clip.onloadedmetadata = () =>
      resolve({
        duration: Number.isFinite(clip.duration) ? clip.duration : 0,
        width: clip.videoWidth || 0,
        height: clip.videoHeight || 0,
      });
    clip.onerror = () => resolve({});
    setTimeout(() => resolve({}), PATIENCE_MS);
    clip.preload = "metadata";
    clip.src = address;
  });
  return look.finally(() => URL.revokeObjectURL(address));
}
