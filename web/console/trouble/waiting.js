// Waiting work: in the queues, and scheduled for later.
import { html } from "../../parts/html.js";
import { language, t } from "../words.js";

const LATER = ["reminders", "deletions", "exports"];
const UNITS = [
  [60, "second", 1],
  [3600, "minute", 60],
  [86_400, "hour", 3600],
  [Infinity, "day", 86_400],
];

/** "20 sec", "3 min", "2 days". */
function lengthOf(seconds) {
  const [, unit, size] = UNITS.find(([most]) => seconds < most);
  return new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "short" }).format(Math.max(0, Math.trunc(seconds / size)));
}

const Work = ({ work }) => html`
  <li>
    <span>${t(`trouble.queue_${work.kind}`, { count: work.count })}</span>
    <p class="meta-line">
      ${work.age_s !== null && html`<span>${t("trouble.oldest", { time: lengthOf(work.age_s) })}</span>`}
      ${work.is_more && html`<span>${t("trouble.queue_more")}</span>`}
      <span>${t("trouble.queue", { name: work.queue })}</span>
    </p>
  </li>
`;

export function Waiting({ queues, waiting }) {
  const busy = queues.filter((work) => work.count || work.is_more);
  return html`<section class="section">
    <h2>${t("trouble.waiting")}</h2>
    ${busy.length ? html`<ul class="items">${busy.map((work) => html`<${Work} key=${work.kind} work=${work} />`)}</ul>` : html`<p>${t("trouble.queue_empty")}</p>`}
    ${
      waiting.reminders !== undefined &&
      html`<dl class="figures">${LATER.map((kind) => html`<div key=${kind}><dt>${t(`trouble.waiting_${kind}`)}</dt><dd>${waiting[kind]}</dd></div>`)}</dl>`
    }
  </section>`;
}
