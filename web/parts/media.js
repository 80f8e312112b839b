// The content of a message besides its text: photos, albums, stickers, and files by their kind.
import { html, useState } from "./html.js";
import { size } from "./clock.js";
import { labelled } from "./labelled.js";
import { shownName } from "./file_name.js";
import { Animation, Video, VideoNote } from "./clips.js";
import { usePage } from "./page.js";
import { shape } from "./shape.js";
import { Icon } from "./icon.js";
import { Player } from "./player.js";
import { Shapes } from "./shapes.js";
import { t } from "./words.js";

function Picture({ message, tile }) {
  const { fileAddress, useDescription, showPhoto } = usePage();
  const [missing, setMissing] = useState(false);
  const src = fileAddress(message.photo);
  const label = labelled(t("parts.photo"), useDescription(message.photo), message.caption);
  if (missing) return html`<div class="photo is-missing">${t("parts.photo_missing")}</div>`;
  return html`
    <button
      type="button"
      class="photo"
      style=${tile ? undefined : shape(message.photo)}
      aria-label=${t("parts.photo_open", { label })}
      onClick=${() => showPhoto({ src, label })}
    >
      <img src=${src} alt=${label} loading="lazy" onError=${() => setMissing(true)} />
    </button>
  `;
}

/** A picture that its sender has hidden as a spoiler, until somebody clicks it. */
function Covered({ of, what, children }) {
  const { fileAddress } = usePage();
  const [open, setOpen] = useState(false);
  if (open || !of.spoiler) return children;
  return html`
    <button type="button" class="photo covered" style=${shape(of)} aria-label=${t(`parts.covered_${what}`)} onClick=${() => setOpen(true)}>
      ${what === "photo" && html`<img src=${fileAddress(of)} alt="" />`}<span><${Icon} name="eye" size=${16} /> ${t("parts.show")}</span>
    </button>
  `;
}

export const Photo = ({ message, tile }) =>
  html`<${Covered} of=${message.photo} what="photo"><${Picture} message=${message} tile=${tile} /><//>`;

const Document = ({ file }) => html`
  <a class="card" href=${usePage().fileAddress(file)} download=${file.name}>
    <span class="card-mark"><${Icon} name="file" /></span>
    <span class="card-words"><strong dir="auto">${shownName(file.name)}</strong><small>${size(file.size || 0)}</small></span>
  </a>
`;

function Sound({ file }) {
  const { fileAddress, useDescription } = usePage();
  const words = useDescription(file);
  const title = [file.performer, file.title].filter(Boolean).join(" – ") || shownName(file.name);
  return html`<${Player} src=${fileAddress(file)} duration=${file.duration} label=${t("parts.audio_named", { title })} title=${title} words=${words} />`;
}

function Voice({ file }) {
  const { fileAddress, useDescription } = usePage();
  const words = useDescription(file);
  return html`<${Player} src=${fileAddress(file)} duration=${file.duration} bytes=${file.size} label=${t("parts.voice")} words=${words} wave />`;
}

const KINDS = {
  voice: Voice,
  audio: Sound,
  video: ({ file }) => html`<${Covered} of=${file} what="video"><${Video} file=${file} /><//>`,
  video_note: VideoNote,
  animation: ({ file }) => html`<${Covered} of=${file} what="gif"><${Animation} file=${file} /><//>`,
};

export const FileView = ({ file }) => html`<${KINDS[file.kind] || Document} file=${file} />`;

const isTile = (message) => message.photo || message.file?.kind === "video";

export function Album({ messages }) {
  const tiles = messages.every(isTile);
  const label = messages.every((each) => each.photo) ? "parts.album_photos" : "parts.album_files";
  const one = (each) =>
    each.photo
      ? html`<${Photo} key=${each.message_id} message=${each} tile />`
      : html`<${FileView} key=${each.message_id} file=${each.file} />`;
  const name = tiles ? `album album-${Math.min(messages.length, 4)}` : "album-list";
  return html`<div class=${name} role="group" aria-label=${t(label, { count: messages.length })}>${messages.map(one)}</div>`;
}

const SHAPES = "application/x-tgsticker";

/** The picture of a sticker. While it is not loaded, the sticker's emoji is shown, enlarged. */
export function Sticker({ sticker }) {
  const { fileAddress, useDescription } = usePage();
  const [missing, setMissing] = useState(false);
  const description = useDescription(sticker);
  const label = labelled(t("parts.sticker", { emoji: sticker.emoji || "" }).trim(), description);
  const src = fileAddress(sticker);
  const failed = () => setMissing(true);
  if (missing) return html`<span class="sticker-emoji" role="img" aria-label=${label}>${sticker.emoji || "🙂"}</span>`;
  if (sticker.mime_type.startsWith("image/")) return html`<img class="sticker" src=${src} alt=${label} onError=${failed} />`;
  if (sticker.mime_type === SHAPES) return html`<${Shapes} src=${src} label=${label} onError=${failed} />`;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return html`<video class="sticker" src=${src} role="img" aria-label=${label} autoplay=${!still} loop muted playsinline onError=${failed}></video>`;
}
