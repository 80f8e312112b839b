// The chats of the person that the active pane plays.
import { html, useEffect, useState } from "/web/parts/html.js";
import { change, useStore } from "../store.js";
import { attempt, loadMessages, openChat, openConsole } from "../actions.js";
import { startGroup } from "../first_visit.js";
import { chatsOf } from "../people.js";
import { switchTheme, theme } from "/web/parts/theme.js";
import { ChatRow } from "./chat_row.js";
import { Icon, IconButton } from "/web/parts/icon.js";
import { MenuButton, MenuItem } from "/web/parts/menu.js";
import { ModelNote } from "./model_note.js";
import { YouAre } from "./you_are.js";

function ThemeSwitch() {
  const [now, setNow] = useState(theme());
  const flip = () => {
    switchTheme();
    setNow(theme());
  };
  const other = now === "dark" ? "light" : "dark";
  return html`<${IconButton} icon=${now === "dark" ? "sun" : "moon"} label=${`Switch to ${other}`} onClick=${flip} />`;
}

const NewMenu = () => html`
  <${MenuButton} class="icon-button" label="New" align="end" button=${html`<${Icon} name="plus" />`}>
    ${(close) => {
      const pick = (kind) => () => {
        close();
        change({ dialog: { kind } });
      };
      return html`
        <${MenuItem} onPick=${pick("group")}><${Icon} name="group" /> <span class="menu-text">New group …</span><//>
        <${MenuItem} onPick=${pick("person")}><${Icon} name="person" /> <span class="menu-text">New person …</span><//>
      `;
    }}
  <//>
`;

function StartGroup({ me }) {
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    const chat = await attempt(() => startGroup(me));
    setBusy(false);
    if (chat) openChat(chat.key);
  };
  return html`
    <div class="suggestion">
      <p>See how the agent behaves in a group of three people. You play all three.</p>
      <button type="button" class="button" disabled=${busy} onClick=${start}><${Icon} name="group" /> Start a group</button>
    </div>
  `;
}

export function ChatList() {
  const { me, chat: open } = useStore((state) => state.panes[state.active] || state.panes[0]);
  const index = useStore((state) => state.active);
  const order = useStore((state) =>
    chatsOf(state, me)
      .map((chat) => chat.key)
      .join(" "),
  );
  const keys = order.split(" ").filter(Boolean);
  const hasGroup = useStore((state) => Object.values(state.chats).some((chat) => chat.type !== "private"));
  const hasBots = useStore((state) => Object.keys(state.bots).length > 0);
  const hasConsole = useStore((state) => state.hasConsole);
  const unloaded = useStore((state) => keys.filter((key) => state.complete[key] === undefined).join(" "));
  useEffect(() => {
    for (const key of unloaded.split(" ").filter(Boolean)) loadMessages(key);
  }, [unloaded]);
  return html`
    <nav class="list" aria-label="Chats">
      <header class="list-head">
        <${YouAre} me=${me} index=${index} />
        <${ThemeSwitch} />
        <${NewMenu} />
      </header>
      <ul class="rows">
        ${keys.map((key) => html`<${ChatRow} key=${key} chatKey=${key} me=${me} isOpen=${key === open} />`)}
      </ul>
      ${!hasBots && html`<p class="hint">No agent is here yet. They appear by themselves once <code>make dev</code> has started them.</p>`}
      ${hasBots && !hasGroup && html`<${StartGroup} me=${me} />`}
      <div class="list-end">
        ${hasConsole && hasBots && html`<button type="button" class="console-link" onClick=${() => openConsole(me)}><${Icon} name="external" size=${18} /> Open the console</button>`}
        <${ModelNote} />
      </div>
    </nav>
  `;
}
