// The picture, film or sound of a file, if its decoded parts are still stored. The parts of an animated sticker are
// frames; they are shown one after the other while the pointer is on them.
import { html, useEffect, useState } from "../../../parts/html.js";
import { Icon } from "../../../parts/icon.js";
import { t } from "../../words.js";

const FRAME_MS = 450;
const ICONS = { voice: "mic", audio: "music", video: "play", video_note: "round", document: "file", sticker: "sticker", custom_emoji: "smile", animation: "play", photo: "photo" };

const addressOf = (one, part) => `/api/media/files/${encodeURIComponent(one.unique_id)}/parts/${part.number}`;
const ofType = (one, type) => one.parts.filter((part) => part.type.startsWith(`${type}/`));

function Frames({ one, pictures, label }) {
  const [at, setAt] = useState(0);
  const [isMoving, setMoving] = useState(false);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    if (!isMoving) return undefined;
    const timer = setInterval(() => setAt((now) => (now + 1) % pictures.length), FRAME_MS);
    return () => clearInterval(timer);
  }, [isMoving, pictures.length]);
  if (isGone) return html`<${Nothing} one=${one} />`;
  const picture = html`<img src=${addressOf(one, pictures[at])} alt=${label} loading="lazy" decoding="async" onError=${() => setGone(true)} />`;
  if (pictures.length === 1) return picture;
  return html`
    ${picture}
    <button type="button" class="button is-quiet media-play" aria-pressed=${isMoving} onClick=${() => setMoving(!isMoving)}>
      <${Icon} name=${isMoving ? "pause" : "play"} size=${16} /> ${t(isMoving ? "media.pause" : "media.play")}
    </button>
  `;
}

const Nothing = ({ one }) => html`<span class="media-none"><${Icon} name=${ICONS[one.kind] || "file"} size=${36} />${one.emoji ? html`<span class="media-emoji">${one.emoji}</span>` : html`<small>${t("media.no_picture")}</small>`}</span>`;

export function Preview({ one, label }) {
  const [pictures, films, sounds] = ["image", "video", "audio"].map((type) => ofType(one, type));
  return html`
    <div class="media-preview">
      ${
        pictures.length
          ? html`<${Frames} one=${one} pictures=${pictures} label=${label} />`
          : films.length
            ? html`<video src=${addressOf(one, films[0])} controls preload="none" aria-label=${label}></video>`
            : sounds.length
              ? html`<audio src=${addressOf(one, sounds[0])} controls preload="none" aria-label=${label}></audio>`
              : html`<${Nothing} one=${one} />`
      }
    </div>
  `;
}
