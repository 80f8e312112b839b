// The panel beside the chat. One tab shows what lull did with a message, the other tells about the chat.
import { html } from "/web/parts/html.js";
import { change, useStore } from "../store.js";
import { leavePanel, togglePanel } from "../actions.js";
import { About } from "./about.js";
import { IconButton } from "/web/parts/icon.js";
import { TabList } from "/web/parts/tabs.js";
import { LullDid } from "./lull_did.js";

const TABS = [
  { id: "did", title: "What lull did" },
  { id: "about", title: "About this chat" },
];

const choose = (tab) => change((state) => ({ panel: { ...state.panel, tab } }));

export function SidePanel() {
  const { tab } = useStore((state) => state.panel);
  const pane = useStore((state) => state.panes[state.active] || state.panes[0]);
  const chat = useStore((state) => state.chats[pane.chat]);
  const onEscape = (event) => event.key === "Escape" && !event.defaultPrevented && togglePanel(false);
  return html`
    <aside class="panel" aria-label="Side panel" onKeyDown=${onEscape}>
      <header class="panel-head">
        <${IconButton} icon="back" label="Back to the chat" class="only-phone" onClick=${leavePanel} />
        <${TabList} id="side" label="Side panel" tabs=${TABS} chosen=${tab} onChoose=${choose} />
        <${IconButton} icon="close" label="Close the side panel" class="not-phone" onClick=${() => togglePanel(false)} />
      </header>
      <div class="panel-body" id="side-panel" role="tabpanel" aria-labelledby=${`side-${tab}`}>
        ${!chat && html`<p class="hint">Open a chat to see what lull does with its messages.</p>`}
        ${chat && tab === "did" && html`<${LullDid} chat=${chat} pane=${pane} />`}
        ${chat && tab === "about" && html`<${About} chat=${chat} me=${pane.me} />`}
      </div>
    </aside>
  `;
}
