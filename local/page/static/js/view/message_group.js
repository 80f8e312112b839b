// Messages that one author wrote in a row: with the name above, the picture beside them, and a bubble for each message
// or album.
import { html } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { isBot, toneOf, writerName } from "../people.js";
import { Avatar } from "./avatar.js";
import { Message } from "./message.js";

const ServiceLines = ({ items }) =>
  items
    .flat()
    .map(
      (message) =>
        html`<p key=${message.message_id} class="service" data-id=${message.message_id}><span>${message.service}</span></p>`,
    );

export function MessageGroup({ group, chat, me, last, onAnswer }) {
  const name = useStore((state) => writerName(state, group.items[0][0]));
  const bot = useStore((state) => isBot(state, group.from));
  const tone = useStore((state) => toneOf(state, group.from));
  if (group.service) return html`<${ServiceLines} items=${group.items} />`;
  const mine = group.from === me;
  const inGroup = chat.type !== "private";
  return html`
    <div class=${`group${mine ? " is-mine" : ""}`}>
      ${inGroup && !mine && html`<div class="group-picture"><${Avatar} id=${group.from} named=${name} size="s" /></div>`}
      <div class="group-bubbles">
        ${inGroup && !mine && html`<p class=${`group-name tone-text-${tone}`}>${name}${bot && html`<span class="tag">bot</span>`}</p>`}
        ${group.items.map(
          (album) => html`<${Message}
            key=${album[0].message_id}
            message=${album[0]}
            album=${album.length > 1 ? album : null}
            newest=${album.at(-1).message_id === last}
            name=${name}
            mine=${mine}
            chat=${chat}
            me=${me}
            onAnswer=${onAnswer}
          />`,
        )}
      </div>
    </div>
  `;
}
