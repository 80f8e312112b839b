// The quoted message to which a message replies. A click jumps to it.
import { html } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { excerpt } from "../excerpt.js";
import { toneOf, writerName } from "../people.js";

function jump(event, id) {
  const target = event.currentTarget.closest(".messages").querySelector(`[data-id="${id}"]`);
  if (!target) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  target.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
  target.focus({ preventScroll: true });
  target.classList.add("is-found");
  setTimeout(() => target.classList.remove("is-found"), 1600);
}

export function ReplyLine({ message }) {
  const original = useStore((state) =>
    (state.messages[message.chat] || []).find((each) => each.message_id === message.reply_to),
  );
  const name = useStore((state) => (original ? writerName(state, original) : ""));
  const tone = useStore((state) => (original ? toneOf(state, original.from) : 0));
  const quoted = message.quote;
  if (!original)
    return html`<div class="reply-line"><span class="reply-text">${quoted || "A message that is no longer here"}</span></div>`;
  return html`
    <button type="button" class=${`reply-line tone-text-${tone}`} onClick=${(event) => jump(event, original.message_id)}>
      <span class="hidden">In reply to </span>
      <span class="reply-name">${name}</span>
      <span class="reply-text" dir="auto">${quoted || excerpt(original)}</span>
    </button>
  `;
}

// A quote from another chat, to which one cannot jump here.
export const ElsewhereLine = ({ message }) => html`
  <div class="reply-line">
    <span class="reply-name">${message.reply_elsewhere}, in another chat</span>
    <span class="reply-text">${message.quote || ""}</span>
  </div>
`;
