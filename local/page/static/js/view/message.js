// One message: the message that it replies to, its content, lull's marks on it, and its menu.
import { html, memo, useRef, useState } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { preciseTime, timeOf } from "/web/parts/clock.js";
import { Buttons } from "./buttons.js";
import { Content, isBare } from "/web/parts/bubble.js";
import { Icon, IconButton } from "/web/parts/icon.js";
import { LinkCard } from "/web/parts/link_card.js";
import { useLongPress } from "/web/parts/long_press.js";
import { MessageMenu } from "./message_menu.js";
import { ReactionRow } from "./reaction_row.js";
import { ElsewhereLine, ReplyLine } from "./reply_line.js";
import { Tick } from "./tick.js";

// The caption of an album may be on any of its messages.
function captionOf(message, album) {
  const holder = (album || []).find((each) => each.caption) || message;
  return { message: holder, text: holder.text || holder.caption };
}

const HELD = "lull wrote this after it had seen words from outside: a page, a search, a forward or the like.";

function OutsideMark({ message }) {
  const isHeld = useStore((state) => Boolean(state.outside[message.chat]?.includes(message.message_id)));
  return isHeld && html`<span class="outside-mark" role="img" aria-label=${HELD} title=${HELD}><${Icon} name="outside" size=${14} /></span>`;
}

const Meta = ({ message, mine }) => html`
  <span class="meta">
    ${!mine && html`<${OutsideMark} message=${message} />`}
    ${message.edit_date && html`<span title=${preciseTime(message.edit_date)}>edited</span>`}
    <time title=${preciseTime(message.date)}>${timeOf(message.date)}</time>
    ${mine && html`<${Tick} message=${message} />`}
  </span>
`;

function Bubble({ message, album, newest, name, mine, chat, me, onAnswer }) {
  const [menu, setMenu] = useState(null);
  const node = useRef(null);
  const chosen = useStore((state) => state.panel.open && state.panel.message === message.message_id);
  const press = useLongPress(setMenu);
  const captioned = captionOf(message, album);
  const below = () => {
    const box = node.current.getBoundingClientRect();
    return { x: mine ? box.right - 240 : box.left + 24, y: box.top + 40 };
  };
  const at = (event) => (event.clientX || event.clientY ? { x: event.clientX, y: event.clientY } : below());
  const onContextMenu = (event) => {
    if (event.target.closest("a")) return;
    event.preventDefault();
    setMenu(at(event));
  };
  const onKeyDown = (event) => {
    if (event.target !== node.current || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    setMenu(below());
  };
  return html`
    <article
      ref=${node}
      class=${`message${isBare(message, captioned.text) ? " is-bare" : ""}${chosen ? " is-chosen" : ""}${menu ? " has-menu" : ""}`}
      data-id=${message.message_id}
      tabindex=${newest ? 0 : -1}
      aria-label=${`${mine ? "You" : name}, ${timeOf(message.date)}`}
      onContextMenu=${onContextMenu}
      onKeyDown=${onKeyDown}
      ...${press}
    >
      <div class="bubble">
        ${message.from !== 0 && message.forwarded_from && html`<div class="reply-line">Forwarded from ${message.forwarded_from}</div>`}
        ${message.reply_to && html`<${ReplyLine} message=${message} />`}
        ${message.reply_elsewhere && html`<${ElsewhereLine} message=${message} />`}
        <${Content} message=${message} album=${album} me=${me} captioned=${captioned} />
        ${message.link_preview && html`<${LinkCard} address=${message.link_preview} />`}
        <${Meta} message=${captioned.message} mine=${mine} />
      </div>
      <div class="message-tools">
        <${IconButton} icon="reply" size=${18} label="Reply" tabindex="-1" onClick=${() => onAnswer("reply", message)} />
        <${IconButton} icon="more" size=${18} label="More about this message" tabindex="-1" onClick=${(event) => setMenu(at(event))} />
      </div>
      <${Buttons} message=${message} me=${me} />
      <${ReactionRow} message=${message} me=${me} />
      ${
        menu &&
        html`<${MessageMenu}
          message=${captioned.message}
          anchor=${menu}
          mine=${mine}
          chat=${chat}
          me=${me}
          onAnswer=${onAnswer}
          onClose=${() => setMenu(null)}
        />`
      }
    </article>
  `;
}

export const Message = memo(Bubble);
