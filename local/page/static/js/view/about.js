// The facts about a chat, and the settings that can be changed.
import { html } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { attempt, become, setBlocked } from "../actions.js";
import { chatName, fullName, isBot, someone } from "../people.js";
import { world } from "../world.js";
import { Avatar, ChatAvatar } from "./avatar.js";
import { Icon, IconButton } from "/web/parts/icon.js";
import { MenuButton, MenuItem } from "/web/parts/menu.js";
import { ModelNote } from "./model_note.js";

function Member({ chat, id, me }) {
  const name = useStore((state) => fullName(someone(state, id)));
  const username = useStore((state) => someone(state, id)?.username);
  const bot = useStore((state) => isBot(state, id));
  const privacy = useStore((state) => state.bots[id]?.privacy);
  const roles = [
    id === me && "you",
    (chat.admins || []).includes(id) && "administrator",
    bot && (chat.type === "private" ? "bot" : privacy ? "bot, sees what is for it" : "bot, sees everything"),
  ];
  return html`
    <li class="member">
      <${Avatar} id=${id} size="s" />
      <span class="member-text">${name}<small>${[username && `@${username}`, ...roles].filter(Boolean).join(" · ")}</small></span>
      ${!bot && id !== me && html`<button type="button" class="link" onClick=${() => become(id)}>Play</button>`}
      ${
        chat.type !== "private" &&
        id !== me &&
        html`<${IconButton}
        icon="close"
        size=${16}
        label=${`Remove ${name}`}
        onClick=${() => attempt(() => world.removeMember(chat.key, id))}
      />`
      }
    </li>
  `;
}

function AddMember({ chat }) {
  const people = useStore((state) => state.people);
  const bots = useStore((state) => state.bots);
  const inside = new Set([...(chat.members || []), ...(chat.bots || [])]);
  const outside = [...Object.values(people), ...Object.values(bots)].filter((each) => !inside.has(each.id));
  if (!outside.length) return null;
  const add = (id) => attempt(() => world.addMember(chat.key, bots[id] ? { bot_id: id } : { person_id: id }));
  return html`
    <${MenuButton} class="button is-quiet" label="Add someone" button=${html`<${Icon} name="plus" size=${16} /> Add`}>
      ${(close) =>
        outside.map(
          (each) => html`<${MenuItem}
            key=${each.id}
            onPick=${() => {
              close();
              add(each.id);
            }}
          ><${Avatar} id=${each.id} size="s" /> <span class="menu-text">${fullName(each)}</span><//>`,
        )}
    <//>
  `;
}

function Acts({ chat }) {
  if (chat.type === "private") {
    return html`
      <button type="button" class="button is-quiet" onClick=${() => setBlocked(chat, !chat.blocked)}>
        ${chat.blocked ? "Unblock this agent" : "Block this agent"}
      </button>
    `;
  }
  if (chat.type !== "group") return null;
  return html`
    <button type="button" class="button is-quiet" onClick=${() => attempt(() => world.migrate(chat.key))}>Upgrade to a supergroup</button>
    <p class="quiet">Telegram does this when a group grows; the chat gets a new id, and lull has to follow.</p>
  `;
}

const KINDS = { private: "Private chat", group: "Group", supergroup: "Supergroup" };

function kindOf(chat) {
  if (chat.is_direct) return "Direct messages to a channel: each person has a conversation of their own";
  return `${KINDS[chat.type]}${chat.is_forum ? " with topics" : ""}`;
}

export function About({ chat, me }) {
  const name = useStore((state) => chatName(state, chat));
  const ids = chat.type === "private" ? [me, chat.bot_id] : [...(chat.members || []), ...(chat.bots || [])];
  return html`
    <div class="about-head">
      <${ChatAvatar} chat=${chat} size="l" />
      <h2>${name}</h2>
      <p class="quiet">${kindOf(chat)} · id ${chat.id}</p>
    </div>
    <h3>${ids.length} here</h3>
    <ul class="members">${ids.map((id) => html`<${Member} key=${id} chat=${chat} id=${id} me=${me} />`)}</ul>
    <div class="acts">
      ${chat.type !== "private" && html`<${AddMember} chat=${chat} />`}
      <${Acts} chat=${chat} />
    </div>
    <${ModelNote} />
  `;
}
