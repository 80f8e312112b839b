import { html } from "/web/parts/html.js";
import { change, useStore } from "../store.js";
import { closePane, openBeside, panelShown, showInPanel, togglePanel } from "../actions.js";
import { doing } from "../doing.js";
import { chatName, fullName, someone } from "../people.js";
import { Avatar, ChatAvatar } from "./avatar.js";
import { Icon, IconButton } from "/web/parts/icon.js";
import { MenuButton, MenuItem } from "/web/parts/menu.js";
import { YouAre } from "./you_are.js";

function subtitle(state, chat, me, topic) {
  const writing = Object.values(state.typing).filter(
    (entry) => entry.chat === chat.key && entry.from !== me && (entry.topic_id ?? null) === topic,
  );
  if (writing.length) return `${writing.map((entry) => `${fullName(someone(state, entry.from))} ${doing(state, entry)}`).join(", ")} …`;
  if (chat.type === "private") return state.bots[chat.bot_id]?.username ? `@${state.bots[chat.bot_id].username}` : "";
  const members = [...(chat.members || []), ...(chat.bots || [])];
  return members.map((id) => (id === me ? "you" : fullName(someone(state, id)))).join(", ");
}

function Beside({ chat, me }) {
  const people = useStore((state) => state.people);
  const ids = chat.type === "private" ? Object.keys(people).map(Number) : chat.members || [];
  const others = ids.filter((id) => id !== me && people[id]);
  if (!others.length) return null;
  return html`
    <${MenuButton}
      class="icon-button only-wide"
      label="Open another person's view beside"
      align="end"
      button=${html`<${Icon} name="beside" />`}
    >
      ${(close) => html`
        <p class="menu-title" role="presentation">Side by side with</p>
        ${others.map(
          (id) => html`<${MenuItem}
            key=${id}
            onPick=${() => {
              close();
              openBeside(id);
            }}
          ><${Avatar} id=${id} size="s" /> <span class="menu-text">${fullName(people[id])}</span><//>`,
        )}
      `}
    <//>
  `;
}

function Title({ chat, me, topic }) {
  const name = useStore((state) => chatName(state, chat));
  const about = useStore((state) => subtitle(state, chat, me, topic));
  return html`
    <button type="button" class="chat-title" onClick=${() => showInPanel("about")}>
      <${ChatAvatar} chat=${chat} size="m" />
      <span class="chat-title-text">
        <span class="chat-name">${name}</span>
        <span class="chat-about">${about}</span>
      </span>
      <span class="hidden">About this chat</span>
    </button>
  `;
}

export function ChatHeader({ index, pane, chat }) {
  const split = useStore((state) => state.panes.length > 1);
  const open = useStore(panelShown);
  return html`
    <header class="chat-head">
      <${IconButton} icon="back" label="Back to the chats" class="only-phone" onClick=${() => change({ sheet: "list" })} />
      ${chat ? html`<${Title} chat=${chat} me=${pane.me} topic=${pane.topic} />` : html`<span class="grow"></span>`}
      ${split && html`<${YouAre} me=${pane.me} index=${index} />`}
      ${!split && chat && html`<${Beside} chat=${chat} me=${pane.me} />`}
      ${split && html`<${IconButton} icon="close" label="Close this view" onClick=${() => closePane(index)} />`}
      ${
        !split || index === 1
          ? html`<${IconButton} icon="panel" label="What lull did" pressed=${open} class="panel-toggle" onClick=${() => togglePanel()} />`
          : null
      }
    </header>
  `;
}
