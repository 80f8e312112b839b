import { html } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { react } from "../actions.js";
import { counted } from "/web/parts/reactions.js";
import { fullName, someone } from "../people.js";

function Given({ message, me, reaction }) {
  const who = useStore((state) =>
    reaction.who.map((id) => (id === me ? "you" : fullName(someone(state, id)))).join(", "),
  );
  return html`
    <button
      type="button"
      class="reaction"
      aria-pressed=${reaction.mine}
      aria-label=${`${reaction.emoji} by ${who}`}
      title=${who}
      onClick=${() => react(message, me, reaction.emoji)}
    >
      <span class="emoji">${reaction.emoji}</span>${reaction.count > 1 && html`<span>${reaction.count}</span>`}
    </button>
  `;
}

export function ReactionRow({ message, me }) {
  const groups = counted(message.reactions, me);
  if (!groups.length) return null;
  return html`<div class="reactions" role="group" aria-label="Reactions">
    ${groups.map((reaction) => html`<${Given} key=${reaction.emoji} message=${message} me=${me} reaction=${reaction} />`)}
  </div>`;
}
