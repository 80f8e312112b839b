// The whole page: the list of chats | one or two open chats | the side panel.
import { html, useEffect } from "/web/parts/html.js";
import { chatsOf } from "../people.js";
import { unread } from "../reading.js";
import { useStore } from "../store.js";
import { Announcer } from "./announcer.js";
import { Banners } from "./banners.js";
import { ChatList } from "./chat_list.js";
import { ChatPane } from "./chat_pane.js";
import { Dialogs } from "./dialogs.js";
import { SidePanel } from "./side_panel.js";
import { Toasts } from "/web/parts/toasts.js";

const Waiting = ({ away }) => html`
  <main class="waiting" role="status">
    <span class="pulse" aria-hidden="true"></span>
    <p>${away ? "Waiting for the local Telegram server. Start it with make dev." : "Opening your chats …"}</p>
  </main>
`;

/** The number of unread messages of the person in the active pane, in all chats. */
function unseen(state) {
  const { me } = state.panes[state.active] || state.panes[0];
  return chatsOf(state, me).reduce((sum, chat) => sum + unread(state, me, chat.key), 0);
}

export function App() {
  const phase = useStore((state) => state.phase);
  const away = useStore((state) => state.connection === "away");
  const panes = useStore((state) => state.panes);
  const sheet = useStore((state) => state.sheet);
  const open = useStore((state) => state.panel.open);
  const waiting = useStore(unseen);
  useEffect(() => {
    document.title = waiting ? `(${waiting}) lull` : "lull";
  }, [waiting]);
  if (phase !== "ready") return html`<${Waiting} away=${away} />`;
  return html`
    <div class=${`app sheet-${sheet}${open ? " has-panel" : ""}${panes.length > 1 ? " is-split" : ""}`}>
      <${Banners} />
      <${ChatList} />
      <main class="panes" aria-label="Open chats">
        ${panes.map((pane, index) => html`<${ChatPane} key=${index} index=${index} pane=${pane} />`)}
      </main>
      ${open && html`<${SidePanel} />`}
      <${Dialogs} />
      <${Toasts} />
      <${Announcer} />
    </div>
  `;
}
