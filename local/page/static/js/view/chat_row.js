import { html } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { openChat } from "../actions.js";
import { excerpt } from "../excerpt.js";
import { doing } from "../doing.js";
import { chatName, fullName, someone, writerName } from "../people.js";
import { preciseTime, whenOf } from "/web/parts/clock.js";
import { unread } from "../reading.js";
import { ChatAvatar } from "./avatar.js";

const MANY = 60;

function preview(state, key, me) {
  const writing = Object.values(state.typing).find((entry) => entry.chat === key && entry.from !== me);
  if (writing) return `${fullName(someone(state, writing.from))} ${doing(state, writing)} …`;
  const last = state.messages[key]?.at(-1);
  if (!last) return "No messages yet";
  if (last.service) return last.service;
  const isGroup = state.chats[key].type !== "private";
  if (last.from === me) return `You: ${excerpt(last)}`;
  return isGroup ? `${writerName(state, last)}: ${excerpt(last)}` : excerpt(last);
}

export function ChatRow({ chatKey, me, isOpen }) {
  const chat = useStore((state) => state.chats[chatKey]);
  const name = useStore((state) => chatName(state, chat));
  const text = useStore((state) => preview(state, chatKey, me));
  const date = useStore((state) => state.messages[chatKey]?.at(-1)?.date);
  const count = useStore((state) => unread(state, me, chatKey));
  const trouble = useStore((state) => Object.keys(state.trouble[chatKey] || {}).length > 0);
  return html`
    <li>
      <button type="button" class="row" aria-current=${isOpen ? "true" : undefined} onClick=${() => openChat(chatKey)}>
        <${ChatAvatar} chat=${chat} />
        <span class="row-text">
          <span class="row-top">
            <span class="row-name">${name}</span>
            ${date && html`<time title=${preciseTime(date)}>${whenOf(date)}</time>`}
          </span>
          <span class="row-bottom">
            <span class="row-preview" dir="auto">${text}</span>
            ${
              trouble &&
              html`<span class="row-trouble" title="Not delivered">
              <span aria-hidden="true">!</span><span class="hidden">not delivered</span>
            </span>`
            }
            ${count > 0 && html`<span class="badge">${count >= MANY ? `${MANY}+` : count}<span class="hidden"> unread</span></span>`}
          </span>
        </span>
      </button>
    </li>
  `;
}
