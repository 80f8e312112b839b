// The topics of a forum as a row of tabs. The General topic has no id.
import { html } from "/web/parts/html.js";
import { change } from "../store.js";
import { openChat } from "../actions.js";
import { Icon } from "/web/parts/icon.js";

export function TopicBar({ chat, topic, index }) {
  const topics = chat.topics || [];
  if (!chat.is_forum && !topics.length) return null;
  const all = [{ id: null, name: "General" }, ...topics.filter((each) => each.id !== 1)];
  return html`
    <nav class="topics" aria-label="Topics">
      ${all.map(
        (each) => html`
          <button
            type="button"
            key=${each.id}
            class="topic"
            aria-current=${each.id === topic ? "true" : undefined}
            onClick=${() => openChat(chat.key, each.id, index)}
          >
            ${each.name}
          </button>
        `,
      )}
      <button type="button" class="topic is-new" onClick=${() => change({ dialog: { kind: "topic", chat: chat.key, index } })}>
        <${Icon} name="plus" size=${16} /> Topic
      </button>
    </nav>
  `;
}
