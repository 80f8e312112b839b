// Whether a message of the owner has left the page, while no tick has read it.
import { html } from "../../parts/html.js";
import { Icon } from "../../parts/icon.js";
import { t } from "../words.js";

const MARKS = { sending: ["clock", "message.sending"], away: ["warning", "message.away"], waiting: ["check", "message.sent"] };

/** `role`: of the message's item; nothing is shown for what was read. */
export function Delivery({ role }) {
  if (!MARKS[role]) return null;
  const [icon, label] = MARKS[role];
  return html`<span class=${`talk-delivery is-${role}`} role=${role === "away" ? "status" : undefined}><${Icon} name=${icon} size=${14} /> ${t(label)}</span>`;
}
