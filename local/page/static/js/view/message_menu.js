// The menu of a message: react, reply, copy, edit, delete, see what lull did.
import { html } from "/web/parts/html.js";
import { copy, react, remove, showInPanel } from "../actions.js";
import { Icon } from "/web/parts/icon.js";
import { Floating, MenuItem } from "/web/parts/menu.js";
import { ReactionChoice } from "/web/parts/reaction_choice.js";

// On Telegram people may delete their own messages everywhere, all messages in a private chat, and as administrators
// all messages of a group.
const mayDelete = (chat, me, mine) => mine || chat.type === "private" || (chat.admins || []).includes(me);

const given = (message, me) => (message.reactions || []).filter(({ from }) => from === me).map(({ emoji }) => emoji);

export function MessageMenu({ message, anchor, mine, chat, me, onAnswer, onClose }) {
  const words = message.text || message.caption;
  const then = (work) => () => {
    onClose();
    work();
  };
  const entries = [
    ["reply", "Reply", () => onAnswer("reply", message), true],
    ["copy", "Copy text", () => copy(words), words],
    ["edit", "Edit", () => onAnswer("edit", message), mine && words],
    ["eye", "What lull did", () => showInPanel("did", message.message_id), true],
    ["trash", "Delete", () => remove(message, me), mayDelete(chat, me, mine), true],
  ];
  return html`
    <${Floating} label="Message" anchor=${anchor} onClose=${onClose}>
      <${ReactionChoice} mine=${given(message, me)} onPick=${(emoji) => then(() => react(message, me, emoji))()} />
      <hr />
      ${entries
        .filter(([, , , possible]) => possible)
        .map(
          ([icon, label, work, , danger]) => html`
            <${MenuItem} key=${label} onPick=${then(work)} danger=${danger} data-first=${icon === "reply" ? "" : undefined}>
              <${Icon} name=${icon} /> <span class="menu-text">${label}</span>
            <//>
          `,
        )}
    <//>
  `;
}
