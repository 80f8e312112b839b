// The content of a message besides its text: photos, albums, stickers, and files by their kind.
import { html, useState } from "../html.js";
import { size } from "../clock.js";
import { labelled, useDescription } from "../descriptions.js";
import { shownName } from "../file_name.js";
import { change } from "../store.js";
import { Animation, Video, VideoNote } from "./clips.js";
import { fileAddress, shape } from "./file_address.js";
import { Icon } from "./icon.js";
import { Player } from "./player.js";
import { Shapes } from "./shapes.js";

function Picture({ message, tile }) {
  const { file_id: id } = message.photo;
  const [missing, setMissing] = useState(false);
  const label = labelled("Photo", useDescription(message.photo), message.caption);
  if (missing) return html`<div class="photo is-missing">This photo could not be loaded.</div>`;
  return html`
    <button
      type="button"
      class="photo"
      style=${tile ? undefined : shape(message.photo)}
      aria-label=${`${label}. Open it large`}
      onClick=${() => change({ dialog: { kind: "photo", src: fileAddress(id), label } })}
    >
      <img src=${fileAddress(id)} alt=${label} loading="lazy" onError=${() => setMissing(true)} />
    </button>
  `;
}

/** A picture that its sender has hidden as a spoiler, until somebody clicks it. */
function Covered({ of, what, children }) {
  const [open, setOpen] = useState(false);
  if (open || !of.spoiler) return children;
  return html`
    <button type="button" class="photo covered" style=${shape(of)} aria-label=${`Covered ${what}. Show it`} onClick=${() => setOpen(true)}>
      ${what === "photo" && html`<img src=${fileAddress(of.file_id)} alt="" />`}<span><${Icon} name="eye" size=${16} /> Show</span>
    </button>
  `;
}

export const Photo = ({ message, tile }) =>
  html`<${Covered} of=${message.photo} what="photo"><${Picture} message=${message} tile=${tile} /><//>`;

const Document = ({ file }) => html`
  <a class="card" href=${fileAddress(file.file_id)} download=${file.name}>
    <span class="card-mark"><${Icon} name="file" /></span>
    <span class="card-words"><strong dir="auto">${shownName(file.name)}</strong><small>${size(file.size || 0)}</small></span>
  </a>
`;

function Sound({ file }) {
  const words = useDescription(file);
  const title = [file.performer, file.title].filter(Boolean).join(" – ") || shownName(file.name);
  return html`<${Player} src=${fileAddress(file.file_id)} duration=${file.duration} label=${`the audio ${title}`} title=${title} words=${words} />`;
}

function Voice({ file }) {
  const words = useDescription(file);
  return html`<${Player} src=${fileAddress(file.file_id)} duration=${file.duration} bytes=${file.size} label="the voice message" words=${words} wave />`;
}

const KINDS = {
  voice: Voice,
  audio: Sound,
  video: ({ file }) => html`<${Covered} of=${file} what="video"><${Video} file=${file} /><//>`,
  video_note: VideoNote,
  animation: ({ file }) => html`<${Covered} of=${file} what="GIF"><${Animation} file=${file} /><//>`,
};

export const FileView = ({ file }) => html`<${KINDS[file.kind] || Document} file=${file} />`;

const isTile = (message) => message.photo || message.file?.kind === "video";

export function Album({ messages }) {
  const tiles = messages.every(isTile);
  const what = messages.every((each) => each.photo) ? "photos" : "files";
  const one = (each) =>
    each.photo
      ? html`<${Photo} key=${each.message_id} message=${each} tile />`
      : html`<${FileView} key=${each.message_id} file=${each.file} />`;
  const name = tiles ? `album album-${Math.min(messages.length, 4)}` : "album-list";
  return html`<div class=${name} role="group" aria-label=${`Album of ${messages.length} ${what}`}>${messages.map(one)}</div>`;
}

const SHAPES = "application/x-tgsticker";

/** The picture of a sticker. While it is not loaded, the sticker's emoji is shown, enlarged. */
export function Sticker({ sticker }) {
  const [missing, setMissing] = useState(false);
  const description = useDescription(sticker);
  const label = labelled(`Sticker ${sticker.emoji || ""}`.trim(), description);
  const src = fileAddress(sticker.file_id);
  const failed = () => setMissing(true);
  if (missing) return html`<span class="sticker-emoji" role="img" aria-label=${label}>${sticker.emoji || "🙂"}</span>`;
  if (sticker.mime_type.startsWith("image/")) return html`<img class="sticker" src=${src} alt=${label} onError=${failed} />`;
  if (sticker.mime_type === SHAPES) return html`<${Shapes} src=${src} label=${label} onError=${failed} />`;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return html`<video class="sticker" src=${src} role="img" aria-label=${label} autoplay=${!still} loop muted playsinline onError=${failed}></video>`;
}
