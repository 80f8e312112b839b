// The next times of a repeating reminder, and the outcome of its last time.
import { html } from "../../../parts/html.js";
import { Badge } from "../../../parts/badge.js";
import { Time } from "../../../parts/time.js";
import { told } from "../../../parts/told.js";
import { t } from "../../words.js";

const TONES = { due: "busy", sent: "good", unknown: "warn", failed: "bad", cancelled: "calm" };

/** The outcome of the last time. `last`: {at, due_at, state, why}, or null. */
export const LastTime = ({ last }) =>
  last &&
  html`<span>${t("runs.last")} <${Badge} tone=${TONES[last.state]} title=${told(last.why)}>${t(`runs.state_${last.state}`)}<//> <${Time} at=${last.due_at} />${last.why && html` <span dir="auto">${told(last.why)}</span>`}</span>`;

export const Times = ({ times }) =>
  times?.length > 1 &&
  html`<details>
    <summary>${t("runs.next", { count: times.length })}</summary>
    <ol class="runs">${times.map((at) => html`<li key=${at}><${Time} at=${at} style="precise" /></li>`)}</ol>
  </details>`;
