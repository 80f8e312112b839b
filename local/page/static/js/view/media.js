// Photos, albums and stickers.
import { html, useState } from "../html.js";
import { size } from "../clock.js";
import { excerpt } from "../excerpt.js";
import { change } from "../store.js";
import { Icon } from "./icon.js";

const fileAddress = (fileId) => `/world/files/${encodeURIComponent(fileId)}`;

const HIGHEST = 360;

// The place of a picture is kept free before it is there, so that nothing jumps.
function shape({ width, height }) {
  const shown = Math.min(width, (HIGHEST * width) / height);
  return { aspectRatio: `${width} / ${height}`, width: `min(100%, ${Math.round(shown)}px)` };
}

export function Photo({ message, tile }) {
  const { file_id: id } = message.photo;
  const [missing, setMissing] = useState(false);
  const label = message.caption ? `Photo: ${message.caption}` : "Photo";
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

export const Album = ({ messages }) => html`
  <div class=${`album album-${Math.min(messages.length, 4)}`} role="group" aria-label=${`Album of ${messages.length} photos`}>
    ${messages.map((message) => html`<${Photo} key=${message.message_id} message=${message} tile />`)}
  </div>
`;

/** Any other file, as a link to it. */
export const FileLink = ({ message }) => html`
  <a class="file" href=${fileAddress(message.file.file_id)} target="_blank" rel="noopener noreferrer">
    <${Icon} name="clip" /><span>${excerpt({ file: message.file })}<small>${message.file.name} · ${size(message.file.size || 0)}</small></span>
  </a>
`;

/** A sticker's picture; its emoji, large, while there is none. */
export function Sticker({ sticker }) {
  const [missing, setMissing] = useState(false);
  const label = `Sticker ${sticker.emoji || ""}`;
  if (missing) return html`<span class="sticker-emoji" role="img" aria-label=${label}>${sticker.emoji || "🙂"}</span>`;
  return html`<img class="sticker" src=${fileAddress(sticker.file_id)} alt=${label} onError=${() => setMissing(true)} />`;
}
