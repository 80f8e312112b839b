// The menu of a message in a web conversation: react, reply, copy, edit. It opens by the button beside the message, by the
// right mouse button, and by a long press.
import { html, useState } from "../../parts/html.js";
import { Icon, IconButton } from "../../parts/icon.js";
import { useLongPress } from "../../parts/long_press.js";
import { Floating, MenuItem } from "../../parts/menu.js";
import { usePage } from "../../parts/page.js";
import { ReactionChoice } from "../../parts/reaction_choice.js";
import { t } from "../words.js";
import { mayEdit, mayReply } from "./answering.js";
import { givenBy } from "./screen.js";

function Menu({ item, acts, anchor, onClose }) {
  const { copy } = usePage();
  const given = givenBy(item, acts.me);
  const then = (work) => () => {
    onClose();
    work();
  };
  const entries = [
    ["reply", "message.reply", () => acts.answer("reply", item), true],
    ["copy", "message.copy", () => copy(item.text), item.text],
    ["edit", "message.edit", () => acts.answer("edit", item), mayEdit(item, acts.me)],
  ];
  return html`
    <${Floating} label=${t("message.menu")} anchor=${anchor} onClose=${onClose}>
      <${ReactionChoice} mine=${given} onPick=${(emoji) => then(() => acts.react(item, emoji))()} />
      <hr />
      ${entries.filter(([, , , isPossible]) => isPossible).map(([icon, label, work]) => html`<${MenuItem} key=${icon} onPick=${then(work)} data-first=${icon === "reply" ? "" : undefined}><${Icon} name=${icon} /> ${t(label)}<//>`)}
    <//>
  `;
}

/**
 * {handlers, tools}: handlers for the message's element, and its buttons. `acts` is {me, answer, react}. Without `acts`,
 * and for a message that is not stored yet, there is no menu.
 */
export function useMessageTools(item, acts) {
  const [anchor, setAnchor] = useState(null);
  const press = useLongPress(setAnchor);
  if (!acts || !mayReply(item)) return { handlers: {}, tools: null };
  const onContextMenu = (event) => {
    if (event.target.closest("a, button, video, audio")) return;
    event.preventDefault();
    setAnchor({ x: event.clientX, y: event.clientY });
  };
  const below = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    setAnchor({ x: box.left, y: box.bottom + 4 });
  };
  const tools = html`<span class=${`message-tools${anchor ? " is-open" : ""}`}>
    <${IconButton} icon="reply" size=${18} label=${t("message.reply")} class="message-reply" onClick=${() => acts.answer("reply", item)} />
    <${IconButton} icon="more" size=${18} label=${t("message.more")} aria-haspopup="menu" aria-expanded=${Boolean(anchor)} onClick=${below} />
    ${anchor && html`<${Menu} item=${item} acts=${acts} anchor=${anchor} onClose=${() => setAnchor(null)} />`}
  </span>`;
  return { handlers: { ...press, onContextMenu }, tools };
}

/** The reactions to a message. A click removes the owner's own reaction, or adds the same one as somebody else's. */
export const ReactionButtons = ({ item, groups, acts }) => html`
  <p class="talk-reactions" role="group" aria-label=${t("parts.reactions")}>
    ${groups.map(
      ({ emoji, count, mine, names }) => html`<button type="button" class="reaction" key=${emoji} aria-pressed=${mine} aria-label=${t("message.reaction", { emoji, names })} title=${names} onClick=${() => acts.react(item, emoji)}><span class="emoji">${emoji}</span>${count > 1 && html`<span>${count}</span>`}</button>`,
    )}
  </p>
`;
