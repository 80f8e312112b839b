// Waiting work: in the queues, and scheduled for later.
import { duration } from "../../parts/clock.js";
import { html } from "../../parts/html.js";
import { t } from "../words.js";

const LATER = ["reminders", "deletions", "exports"];
const Work = ({ work }) => html`
  <li>
    <span>${t(`trouble.queue_${work.kind}`, { count: work.count })}</span>
    <p class="meta-line">
      ${work.age_s !== null && html`<span>${t("trouble.oldest", { time: duration(work.age_s * 1000) })}</span>`}
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
