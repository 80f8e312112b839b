// External communications: what people other than the owner wrote to an agent in private, the rules for them, and the
// escalations. They are read-only: the owner decides about the person, but does not answer in the agent's place.
import { html } from "../../parts/html.js";
import { Badge } from "../../parts/badge.js";
import { Select } from "../../parts/form.js";
import { Empty, Loaded } from "../../parts/loaded.js";
import { Time } from "../../parts/time.js";
import { useGet, usePages } from "../api.js";
import { Head } from "../head.js";
import { Link, go, withQuery } from "../route.js";
import { t } from "../words.js";
import { Exchange } from "./external/exchange.js";
import { Rules } from "./external/rules.js";
import { Tier } from "./people/person.js";
import { Decide } from "./people/requests.js";

const STATES = { waiting: "warn", once: "calm" };

function Row({ agent, row, reload }) {
  const { request } = row;
  return html`
    <li>
      <div class="item-top">
        <span class="item-name" dir="auto"><${Link} to=${`/external/${encodeURIComponent(agent)}/${row.person}`}>${row.name || row.person}<//></span>
        ${row.username && html`<small>@${row.username}</small>`} <${Tier} tier=${row.tier} />
        ${["waiting", "once"].includes(request?.state) && html`<${Badge} tone=${STATES[request.state]}>${t(`external.state_${request.state}`)}<//>`}
        <${Time} at=${row.at} />
      </div>
      ${row.words && html`<p class="item-text" dir="auto">${row.is_agents && html`<span class="quiet">${t("external.agent")}: </span>`}${row.words}</p>`}
      ${request?.state === "waiting" && html`<${Decide} agent=${agent} request=${request} reload=${reload} />`}
    </li>
  `;
}

function List({ agent }) {
  const pages = usePages(`/api/external/${agent}/people`);
  return html`
    <section class="section">
      <h2>${t("external.who_wrote")}</h2>
      <${Loaded} of=${pages} empty=${html`<${Empty} icon="outside" text=${t("external.none")} />`}>
        ${(items) => html`<ul class="items">${items.map((row) => html`<${Row} key=${row.conversation} agent=${agent} row=${row} reload=${pages.reload} />`)}</ul>`}
      <//>
    </section>
  `;
}

function Overview({ query }) {
  const rules = useGet("/api/external/rules");
  return html`
    <${Head} title=${t("external.title")} sub=${t("external.sub")} />
    <div class="view">
      <${Loaded} of=${rules}>
        ${({ agents }) => {
          const agent = agents.find((each) => each.id === query.agent) || agents[0];
          if (!agent) return html`<${Empty} icon="outside" text=${t("external.none")} />`;
          return html`
            ${agents.length > 1 && html`<div class="tools"><${Select} label=${t("people.agent")} options=${agents.map((each) => ({ value: each.id, label: each.name }))} value=${agent.id} onPick=${(id) => go(withQuery("/external", { agent: id }))} /></div>`}
            <${List} key=${agent.id} agent=${agent.id} />
            <${Rules} key=${`rules ${agent.id}`} agent=${agent} set=${rules.set} />
          `;
        }}
      <//>
    </div>
  `;
}

const External = ({ rest, query }) => (rest.length === 2 ? html`<${Exchange} key=${rest.join(" ")} agent=${rest[0]} person=${rest[1]} />` : html`<${Overview} query=${query} />`);

export const Component = External;
