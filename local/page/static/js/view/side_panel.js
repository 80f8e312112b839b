// The panel beside the chat. One tab shows what lull did with a message, the other tells about the chat.
import { html } from "/web/parts/html.js";
import { change, useStore } from "../store.js";
import { leavePanel, togglePanel } from "../actions.js";
import { About } from "./about.js";
import { IconButton } from "/web/parts/icon.js";
import { LullDid } from "./lull_did.js";

const TABS = [
  ["did", "What lull did"],
  ["about", "About this chat"],
];

const choose = (tab) => change((state) => ({ panel: { ...state.panel, tab } }));

// The left and right arrow keys change the tab, as usual in lists of tabs.
function onKeyDown(event) {
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  const other = event.currentTarget.querySelector('[role="tab"][aria-selected="false"]');
  other.focus();
  other.click();
}

export function SidePanel() {
  const { tab } = useStore((state) => state.panel);
  const pane = useStore((state) => state.panes[state.active] || state.panes[0]);
  const chat = useStore((state) => state.chats[pane.chat]);
  const onEscape = (event) => event.key === "Escape" && !event.defaultPrevented && togglePanel(false);
  return html`
    <aside class="panel" aria-label="Side panel" onKeyDown=${onEscape}>
      <header class="panel-head">
        <${IconButton} icon="back" label="Back to the chat" class="only-phone" onClick=${leavePanel} />
        <div class="tabs" role="tablist" onKeyDown=${onKeyDown}>
          ${TABS.map(
            ([name, label]) => html`
              <button
                type="button"
                key=${name}
                id=${`tab-${name}`}
                role="tab"
                aria-selected=${tab === name}
                aria-controls="panel-body"
                tabindex=${tab === name ? 0 : -1}
                onClick=${() => choose(name)}
              >
                ${label}
              </button>
            `,
          )}
        </div>
        <${IconButton} icon="close" label="Close the side panel" class="not-phone" onClick=${() => togglePanel(false)} />
      </header>
      <div class="panel-body" id="panel-body" role="tabpanel" aria-labelledby=${`tab-${tab}`}>
        ${!chat && html`<p class="hint">Open a chat to see what lull does with its messages.</p>`}
        ${chat && tab === "did" && html`<${LullDid} chat=${chat} pane=${pane} />`}
        ${chat && tab === "about" && html`<${About} chat=${chat} me=${pane.me} />`}
      </div>
    </aside>
  `;
}
