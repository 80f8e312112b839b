// The messages of a chat or topic in the order in which they were sent, with the newest in view.
import { html, useMemo } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { loadOlder } from "../actions.js";
import { dayOf, sameDay } from "/web/parts/clock.js";
import { useScroll } from "../scroll.js";
import { EmptyChat } from "./empty_chat.js";
import { Icon } from "/web/parts/icon.js";
import { MessageGroup } from "./message_group.js";
import { Writing } from "./writing.js";

const APART_SECONDS = 300;

const placed = (message, topic) => (message.topic_id ?? null) === topic;

function follows(message, previous) {
  return (
    previous &&
    !message.service &&
    !previous.service &&
    previous.from === message.from &&
    sameDay(previous.date, message.date) &&
    message.date - previous.date < APART_SECONDS
  );
}

/** The messages grouped by day, author and album: [{day, groups: [{from, items: [[message, …], …]}]}]. */
function grouped(messages) {
  const days = [];
  let previous = null;
  for (const message of messages) {
    if (!previous || !sameDay(previous.date, message.date)) days.push({ day: message.date, groups: [] });
    const { groups } = days.at(-1);
    if (!follows(message, previous)) groups.push({ from: message.from, service: Boolean(message.service), items: [] });
    const { items } = groups.at(-1);
    const album = message.media_group_id;
    if (album && previous?.media_group_id === album && items.length) items.at(-1).push(message);
    else items.push([message]);
    previous = message;
  }
  return days;
}

// The up and down keys move through the messages. Each message opens its own menu.
function walk(event) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step || !event.target.matches(".message")) return;
  event.preventDefault();
  const all = [...event.currentTarget.querySelectorAll(".message")];
  all[all.indexOf(event.target) + step]?.focus();
}

export function MessageList({ chat, me, topic, onAnswer, onSeen }) {
  const all = useStore((state) => state.messages[chat.key]);
  const complete = useStore((state) => state.complete[chat.key]);
  const messages = useMemo(() => (all || []).filter((message) => placed(message, topic)), [all, topic]);
  const days = useMemo(() => grouped(messages), [messages]);
  const scroll = useScroll({ messages, me, onSeen, onTop: () => complete === false && loadOlder(chat.key) });
  const empty = complete && messages.every((message) => message.service);
  const last = messages.at(-1)?.message_id;
  return html`
    <div class="scroll-place">
      <div class="messages" ref=${scroll.ref} onScroll=${scroll.onScroll} onKeyDown=${walk} role="region" aria-label="Messages">
        <div class="messages-inner">
          ${days.map(
            ({ day, groups }) => html`
              <section key=${dayOf(day)} aria-label=${dayOf(day)}>
                <h3 class="day"><span>${dayOf(day)}</span></h3>
                ${groups.map(
                  (group) => html`<${MessageGroup}
                    key=${group.items[0][0].message_id}
                    group=${group}
                    chat=${chat}
                    me=${me}
                    last=${last}
                    onAnswer=${onAnswer}
                  />`,
                )}
              </section>
            `,
          )}
          ${empty && html`<${EmptyChat} chat=${chat} me=${me} topic=${topic} />`}
          <${Writing} chat=${chat} me=${me} topic=${topic} />
        </div>
      </div>
      ${
        scroll.away &&
        html`<button type="button" class="pill" onClick=${scroll.toEnd}>
        <${Icon} name="down" size=${16} /> ${scroll.fresh ? `${scroll.fresh} new message${scroll.fresh > 1 ? "s" : ""}` : "Newest"}
      </button>`
      }
    </div>
  `;
}
