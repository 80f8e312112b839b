// Shows why the webhook has not taken a message.
import { html } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { trouble } from "../delivery.js";
import { fullName } from "../people.js";
import { Icon } from "/web/parts/icon.js";

export function Trouble({ chat }) {
  const reports = useStore((state) => state.trouble[chat.key]);
  const bots = useStore((state) => state.bots);
  const waiting = Object.entries(reports || {});
  if (!waiting.length) return null;
  return html`
    <div class="notice is-warning" role="status">
      ${waiting.map(([id, report]) => html`<p key=${id}><${Icon} name="warning" size=${16} /> ${trouble(fullName(bots[id]), report)}</p>`)}
    </div>
  `;
}
