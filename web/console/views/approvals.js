// Approvals: everything that waits for the owner's decision. People and groups ask to be let in, and agents offer acts that
// somebody has to allow with a tap.
import { html } from "../../parts/html.js";
import { Badge } from "../../parts/badge.js";
import { Empty, Loaded } from "../../parts/loaded.js";
import { Time } from "../../parts/time.js";
import { useGet } from "../api.js";
import { Head } from "../head.js";
import { Link } from "../route.js";
import { t } from "../words.js";
import { act } from "./people/acts.js";
import { Requests } from "./people/requests.js";

function Offer({ offer, reload }) {
  const path = `/api/offers/${encodeURIComponent(offer.chat)}/${encodeURIComponent(offer.id)}`;
  const accept = ({ place }) => act(`${path}/accept`, { place }, { done: t("approvals.accepted"), after: reload });
  const decline = () =>
    act(`${path}/decline`, {}, { title: t("approvals.decline_title"), text: t("approvals.decline_text"), action: t("approvals.decline"), done: t("approvals.declined"), after: reload });
  return html`
    <li>
      <div class="item-top">
        <${Badge} tone=${offer.is_mine ? "busy" : "calm"}>${t(offer.is_mine ? "approvals.mine" : "approvals.others")}<//>
        <span dir="auto">${offer.conversation ? html`<${Link} to=${`/conversations/${encodeURIComponent(offer.conversation)}`}>${offer.chat_title || t("reminders.private_chat")}<//>` : offer.chat_title || t("reminders.private_chat")}</span>
        <${Time} at=${offer.at} />
      </div>
      <ul class="items">
        ${offer.choices.map(
          (choice) => html`<li key=${choice.place}>
            <p dir="auto">${choice.text}</p>
            ${offer.is_mine && html`<div class="item-acts"><button type="button" class="button" onClick=${() => accept(choice)}>${t("approvals.accept")}</button></div>`}
          </li>`,
        )}
      </ul>
      <div class="item-acts"><button type="button" class="button is-quiet" onClick=${decline}>${t("approvals.decline")}</button></div>
    </li>
  `;
}

const Offers = ({ offers, reload }) =>
  offers.length > 0 &&
  html`<section class="section">
    <h2>${t("approvals.offers")}</h2>
    <ul class="items">${offers.map((each) => html`<${Offer} key=${`${each.chat} ${each.id}`} offer=${each} reload=${reload} />`)}</ul>
  </section>`;

function Approvals() {
  const found = useGet("/api/approvals");
  return html`
    <${Head} title=${t("approvals.title")} />
    <div class="view">
      <${Loaded} of=${found}>
        ${({ requests, offers }) =>
          requests.length || offers.length
            ? html`<${Requests} requests=${requests} reload=${found.reload} /><${Offers} offers=${offers} reload=${found.reload} />`
            : html`<${Empty} icon="check" text=${t("approvals.none")} />`}
      <//>
    </div>
  `;
}

export const Component = Approvals;
