// The state of a message that the owner sent: whether it has been stored, until a tick reads it.
import { html } from "../../parts/html.js";
import { Icon } from "../../parts/icon.js";
import { t } from "../words.js";

const MARKS = { sending: ["clock", "message.sending"], away: ["warning", "message.away"], waiting: ["check", "message.sent"] };

/** `role`: that of the message's item. Nothing is shown once the message was read. */
export function Delivery({ role }) {
  if (!MARKS[role]) return null;
  const [icon, label] = MARKS[role];
  return html`<span class=${`talk-delivery is-${role}`} role=${role === "away" ? "status" : undefined}><${Icon} name=${icon} size=${14} /> ${t(label)}</span>`;
}
