// All reminders that were ever set, the newest first, with the outcome of each. They are read only on request.
import { html, useState } from "../../../parts/html.js";
import { Badge } from "../../../parts/badge.js";
import { Empty, Loaded } from "../../../parts/loaded.js";
import { Time } from "../../../parts/time.js";
import { usePages } from "../../api.js";
import { Link } from "../../route.js";
import { t } from "../../words.js";
import { LastTime } from "./times.js";

const Entry = ({ item }) => html`
  <li>
    <div class="item-top">
      <span class="item-name" dir="auto">${item.text || item.instruction}</span>
      ${item.next_at ? html`<${Badge} tone="busy">${t("runs.open")}<//>` : html`<${Badge}>${t("runs.ended")}<//>`}
      <${Time} at=${item.set_at} />
    </div>
    <p class="meta-line">
      <span>${t("reminders.in_chat", { chat: item.chat_title || t("reminders.private_chat") })}</span>
      ${item.name && html`<span dir="auto">${t("reminders.for_person", { name: item.name })}</span>`}<span>${item.agent}</span>
      ${item.next_at && html`<span>${t("runs.next_at")} <${Time} at=${item.next_at} /></span>`}<${LastTime} last=${item.last} />
      ${item.conversation && html`<${Link} class="link" to=${`/conversations/${encodeURIComponent(item.conversation)}`}>${t("trouble.open_conversation")}<//>`}
    </p>
  </li>
`;

function Entries() {
  const history = usePages("/api/reminders/history");
  return html`
    <${Loaded} of=${history} empty=${html`<${Empty} icon="bell" text=${t("reminders.none")} />`}>
      ${(items) => html`<ul class="items">${items.map((item) => html`<${Entry} key=${item.id} item=${item} />`)}</ul>`}
    <//>
  `;
}

export function History() {
  const [isOpen, setOpen] = useState(false);
  return html`
    <section class="section">
      <div class="section-head">
        <h2>${t("runs.history")}</h2>
        <button type="button" class="button is-quiet" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>${t(isOpen ? "runs.hide" : "runs.show")}</button>
      </div>
      ${isOpen ? html`<${Entries} />` : html`<p class="quiet">${t("runs.history_hint")}</p>`}
    </section>
  `;
}
