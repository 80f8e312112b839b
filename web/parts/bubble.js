// A message as the console shows it. The shape is that of the local Telegram: times are in seconds, entities are those
// of the Bot API, `photo`, `sticker` and `file` have an `address` where their bytes can be read.
import { html } from "./html.js";
import { preciseTime, timeOf } from "./clock.js";
import { Card } from "./cards.js";
import { Icon } from "./icon.js";
import { Album, FileView, Photo, Sticker } from "./media.js";
import { counted } from "./reactions.js";
import { RichText } from "./rich_text.js";
import { t } from "./words.js";

const BARE = ["video", "animation", "video_note"];

/** Pictures without a text are shown without a bubble. */
export const isBare = (message, words) => message.sticker || ((message.photo || BARE.includes(message.file?.kind)) && !words && !message.reply_to && !message.reply);

/** The content of a message: its pictures, files and cards, and its text. `captioned`: {message, text}. */
export const Content = ({ message, album, me, captioned }) => html`
  ${album && html`<${Album} messages=${album} />`}
  ${!album && message.photo && html`<${Photo} message=${message} />`}
  ${message.sticker && html`<${Sticker} sticker=${message.sticker} />`}
  ${!album && message.file && html`<${FileView} file=${message.file} />`}
  ${message.content && html`<${Card} content=${message.content} />`}
  ${captioned.text && html`<${RichText} message=${captioned.message} text=${captioned.text} entities=${captioned.message.entities} me=${me} />`}
`;

const Reactions = ({ reactions }) =>
  reactions?.length > 0 &&
  html`<ul class="reactions" aria-label=${t("parts.reactions")}>
    ${counted(reactions, null).map(
      (each) => html`<li class="reaction" key=${each.emoji} title=${each.who.join(", ")}><span class="emoji">${each.emoji}</span>${each.count > 1 && html`<span>${each.count}</span>`}<span class="hidden"> ${each.who.join(", ")}</span></li>`,
    )}
  </ul>`;

const Meta = ({ message }) => html`
  <span class="meta">
    ${message.from_outside && html`<span class="outside-mark" role="img" aria-label=${t("parts.outside_mark")} title=${t("parts.outside_mark")}><${Icon} name="outside" size=${14} /></span>`}
    ${message.edit_date && html`<span title=${t("parts.edited_at", { when: preciseTime(message.edit_date) })}>${t("parts.edited")}</span>`}
    <time datetime=${new Date(message.date * 1000).toISOString()} title=${preciseTime(message.date)}>${timeOf(message.date)}</time>
  </span>
`;

/**
 * `message`: {message_id, date, edit_date, text, entities, photo, sticker, file, content, reactions: [{emoji, from}],
 * reply: {name, text}, forwarded_from, from_outside}; `name`: who wrote it, for screen readers; `mine`: on the other
 * side; `children`: below the bubble, such as a decision.
 */
export function Bubble({ message, album, name, mine, children, ...rest }) {
  const text = message.text || message.caption;
  return html`
    <article ...${rest} class=${`message${isBare(message, text) ? " is-bare" : ""}`} data-id=${message.message_id} aria-label=${`${name}, ${timeOf(message.date)}`}>
      <div class="bubble">
        ${message.forwarded_from && html`<div class="reply-line">${t("parts.forwarded", { name: message.forwarded_from })}</div>`}
        ${message.reply && html`<div class="reply-line"><span class="hidden">${t("parts.in_reply")} </span><span class="reply-name">${message.reply.name}</span><span class="reply-text" dir="auto">${message.reply.text}</span></div>`}
        <${Content} message=${message} album=${album} captioned=${{ message, text }} />
        <${Meta} message=${message} />
      </div>
      <${Reactions} reactions=${message.reactions} />
      ${children}
    </article>
  `;
}
