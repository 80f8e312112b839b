// The calls that a plan made to Telegram, and their results.
import { html } from "./html.js";
import { Step } from "./step.js";
import { told } from "./told.js";
import { t } from "./words.js";

const TONES = { planned: "planned", attempted: "running", confirmed: "done", refused: "failed", unknown: "failed" };

const Delivery = ({ delivery }) => html`
  <li>
    <code>${delivery.method}</code>
    <span class=${`state is-${TONES[delivery.state] || "planned"}`}>${t(`parts.delivery_${delivery.state}`)}</span>
    ${delivery.message_ids.length > 0 && html`<span class="quiet">${t("parts.message_ids", { ids: delivery.message_ids.join(", ") })}</span>`}
    ${delivery.why && html`<span class="why">${told(delivery.why)}</span>`}
  </li>
`;

export function Deliveries({ tasks }) {
  const all = tasks.flatMap((task) => task.deliveries);
  if (!all.length) return null;
  const bad = all.filter((each) => TONES[each.state] === "failed").length;
  const tone = bad ? "failed" : all.every((each) => each.state === "confirmed") ? "done" : "running";
  const word = bad ? t("parts.not_delivered", { bad, all: all.length }) : `${all.length}`;
  return html`
    <${Step} id="Deliveries" name=${t("parts.deliveries")} state=${tone} word=${word}>
      <ul class="plain-list">${all.map((delivery) => html`<${Delivery} key=${delivery.id} delivery=${delivery} />`)}</ul>
    <//>
  `;
}
