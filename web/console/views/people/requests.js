// People and groups that wait for a decision.
import { html, useState } from "../../../parts/html.js";
import { Badge } from "../../../parts/badge.js";
import { Time } from "../../../parts/time.js";
import { t } from "../../words.js";
import { act } from "./acts.js";

const nameOf = (request) => (request.is_group ? request.title : request.name) || request.chat_id;

const CHOICES = { person: ["let_in", "once", "block"], group: ["let_in", "leave"] };

/** The buttons of a waiting request. The title of each says what it will do. */
export function Decide({ agent, request, reload }) {
  const [chosen, setChosen] = useState("");
  const name = nameOf(request);
  const decide = async (action) => {
    const asks = action === "block" || action === "leave";
    const question = asks ? { title: t(`people.${action}_title`, { name }), text: t(`people.${action}_text`), action: t(`people.${action}`) } : {};
    if (await act(`/api/people/${agent}/request/${request.id}`, { action }, { ...question, after: reload })) setChosen(action);
  };
  if (chosen) return html`<p class="quiet" role="status">${t(`people.chosen_${chosen}`)}</p>`;
  return html`
    <div class="item-acts">
      ${CHOICES[request.is_group ? "group" : "person"].map(
        (action, at) => html`<button type="button" key=${action} class=${`button${at ? " is-quiet" : ""}`} title=${t(`people.${action}_will`)} onClick=${() => decide(action)}>${t(`people.${action}`)}</button>`,
      )}
    </div>
  `;
}

/** A request: who, when, and their first words. */
export const RequestText = ({ request }) => html`
  <div class="item-top">
    <span class="item-name" dir="auto">${nameOf(request)}</span>
    ${request.username && html`<small>@${request.username}</small>`} ${request.is_group && html`<${Badge}>${t("people.group")}<//>`}
    <${Time} at=${request.at} />
  </div>
  ${request.is_group ? html`<p class="quiet">${t("people.asked_by", { name: request.name || request.person })}</p>` : request.words && html`<p class="item-text" dir="auto">${request.words}</p>`}
`;

/** All waiting requests; shows nothing if there are none. If they are for several agents, each says for which. */
export function Requests({ requests, reload }) {
  if (!requests.length) return null;
  const isOfSeveral = new Set(requests.map((request) => request.agent)).size > 1;
  return html`
    <section class="section">
      <h2>${t("people.waiting", { count: requests.length })}</h2>
      <ul class="items">
        ${requests.map((request) => html`<li key=${`${request.id} ${request.at}`}><${RequestText} request=${request} />${isOfSeveral && html`<p class="meta-line"><span>${request.agent}</span></p>`}<${Decide} agent=${request.agent} request=${request} reload=${reload} /></li>`)}
      </ul>
    </section>
  `;
}
