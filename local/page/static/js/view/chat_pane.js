// One open chat, seen by one person: header, messages, composer.
import { html, useCallback, useEffect, useState } from "/web/parts/html.js";
import { change, useStore } from "../store.js";
import { loadMessages, setBlocked, toast } from "../actions.js";
import { attachments } from "../attachments.js";
import { markRead } from "../reading.js";
import { attach, placeOf } from "../unsent.js";
import { fullName } from "../people.js";
import { ChatHeader } from "./chat_header.js";
import { Composer } from "./composer.js";
import { DropTarget } from "/web/parts/drop_target.js";
import { Icon } from "/web/parts/icon.js";
import { MessageList } from "./message_list.js";
import { TopicBar } from "./topic_bar.js";
import { Trouble } from "./trouble.js";

const NothingOpen = () => html`
  <div class="empty">
    <span class="empty-picture" aria-hidden="true"><${Icon} name="bubble" size=${36} /></span>
    <h2>Choose a chat</h2>
    <p>You can be any person in any chat. Switch with “You are”, above the list.</p>
  </div>
`;

const Blocked = ({ chat, name }) => html`
  <p class="notice">
    You have blocked ${name}. <button type="button" class="link" onClick=${() => setBlocked(chat, false)}>Unblock</button>
  </p>
`;

export function ChatPane({ index, pane }) {
  const chat = useStore((state) => state.chats[pane.chat]);
  const loaded = useStore((state) => state.complete[pane.chat] !== undefined);
  const split = useStore((state) => state.panes.length > 1);
  const isActive = useStore((state) => state.active === index);
  const [answering, setAnswering] = useState(null); // {mode: "reply"|"edit", message}
  const place = { chat, me: pane.me, topic: pane.topic, index };
  const add = (list, kind) => {
    const { items, problem } = attachments(list, kind);
    if (problem) toast(problem);
    attach(placeOf(place), items);
  };
  const answer = useCallback((mode, message) => setAnswering({ mode, message }), []);
  const name = useStore((state) => fullName(state.people[pane.me]));
  useEffect(() => {
    setAnswering(null);
    if (chat && !loaded) loadMessages(chat.key);
  }, [pane.chat, pane.topic, pane.me]);
  const focus = () => !isActive && change({ active: index });
  if (!chat) {
    return html`<section class="pane" aria-label="No chat" onFocusCapture=${focus}>
      ${split && html`<${ChatHeader} index=${index} pane=${pane} chat=${null} />`}<${NothingOpen} />
    </section>`;
  }
  return html`
    <section class=${`pane${isActive ? " is-active" : ""}`} aria-label=${`Chat as ${name}`} onFocusCapture=${focus} onPointerDown=${focus}>
      <${DropTarget} class="pane-body" onFiles=${add}>
        <${ChatHeader} index=${index} pane=${pane} chat=${chat} />
        <${TopicBar} ...${place} />
        <${MessageList}
          key=${placeOf(place)}
          ...${place}
          onAnswer=${answer}
          onSeen=${() => markRead(pane.me, chat.key)}
        />
        <${Trouble} chat=${chat} />
        ${
          chat.blocked
            ? html`<${Blocked} chat=${chat} name="this agent" />`
            : html`<${Composer}
              key=${`composer/${placeOf(place)}`}
              ...${place}
              answering=${answering}
              onAnswered=${() => setAnswering(null)}
              onFiles=${add}
            />`
        }
      <//>
    </section>
  `;
}
