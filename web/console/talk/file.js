// A file in a transcript, with the description of its content.
import { html, useState } from "../../parts/html.js";
import { Icon } from "../../parts/icon.js";
import { FileView, Photo, Sticker } from "../../parts/media.js";
import { told } from "../../parts/told.js";
import { isNothingAt } from "../api.js";
import { t } from "../words.js";

const WEB = /^web-[0-9a-f]{40}$/; // as in shared/webchat/files.py
const PICTURES = new Set(["photo", "custom_emoji"]);
const OWN = "agent"; // of a description: the agent made the file (shared/values/media.py)
const STILL = "image/jpeg"; // of a sticker the bucket has pictures

/** The address of a file's bytes. For a file of Telegram, they are those of the first decoded part, which models see. */
function addressOf(file, { agent, chat }) {
  if (!WEB.test(file.id)) return `/api/media/files/${encodeURIComponent(file.id)}/parts/0`;
  return `/api/web-files/${file.id}?agent=${encodeURIComponent(agent)}&number=${chat.split(".").pop()}`;
}

export const wordsOf = (file) => {
  const given = file.description;
  return given ? [given.says, given.shows, given.written].filter(Boolean).join(" — ") || told(given.why) : "";
};

/** The name in lull's words for a file: "a file: plan.pdf". */
const nameOf = (file) => file.words.split(": ").slice(1).join(": ") || t(`transcript.file_${file.kind}`);

/** Whether it is known that a file's content is not stored: no model has read it, or will. Else it has to be tried. */
function isOnlyInTelegram({ id, kind, description }, { stored_kinds: kinds }) {
  if (!id || WEB.test(id)) return false;
  return description ? description.outcome === "unsupported" || description.source === OWN : Boolean(kinds) && !kinds.includes(kind);
}

function Content({ file, shown, caption, isAway }) {
  if (isAway && file.emoji) return html`<span class="sticker-emoji" role="img" aria-label=${t("parts.sticker", { emoji: file.emoji })}>${file.emoji}</span>`;
  if (isAway || !file.id) return html`<span class="quiet" dir="auto">${file.words || t(`transcript.file_${file.kind}`)}</span>`;
  if (file.kind === "sticker") return html`<${Sticker} sticker=${{ ...shown, mime_type: WEB.test(file.id) ? file.mime_type : STILL }} />`;
  if (PICTURES.has(file.kind)) return html`<${Photo} message=${{ photo: shown, caption }} />`;
  return html`<${FileView} file=${shown} />`;
}

/** `header`: {agent, chat} of the conversation, and `stored_kinds`, the kinds of Telegram's files that are stored here. */
export function File({ file, caption, header }) {
  const [missing, setMissing] = useState(null); // the description with which nothing was found
  const words = wordsOf(file);
  const isAway = isOnlyInTelegram(file, header) || missing === words;
  const shown = { ...file, address: addressOf(file, header), duration: file.seconds, name: nameOf(file), spoiler: file.is_spoiler, description: words };
  const check = async () => !WEB.test(file.id) && (await isNothingAt(shown.address)) && setMissing(words);
  return html`
    <div class="talk-file" onErrorCapture=${check}>
      <${Content} key=${words} file=${file} shown=${shown} caption=${caption} isAway=${isAway} />
      ${words && html`<p class="talk-described" dir="auto"><${Icon} name="eye" size=${14} /> ${words}</p>`}
      ${isAway && html`<p class="talk-described quiet">${t("transcript.only_telegram")}</p>`}
      ${!isAway && !file.description && file.id && !file.isNew && html`<p class="talk-described quiet">${t("transcript.not_described")}</p>`}
    </div>
  `;
}
