// Memories: the people, groups and agents with remembered facts; the facts of one of them, the offers that wait for a
// tap, and the facts in the persona's files.
import { html } from "../../parts/html.js";
import { Badge } from "../../parts/badge.js";
import { Select } from "../../parts/form.js";
import { Icon } from "../../parts/icon.js";
import { Empty, Loaded } from "../../parts/loaded.js";
import { Time } from "../../parts/time.js";
import { useGet, usePages } from "../api.js";
import { Head } from "../head.js";
import { Link, go, withQuery } from "../route.js";
import { t } from "../words.js";
import { Curated, Kept, Offers, Quoted } from "./memories/lists.js";
import { nameOf } from "./memories/owner.js";

const ICONS = { agent: "globe", chat: "group", person: "person" };
const ADDRESS = "/memories";

const Row = ({ one, hasAgents }) => html`
  <li>
    <${Link} class="row-link" to=${`${ADDRESS}/${encodeURIComponent(one.owner)}`}>
      <span class="item-top">
        <span class="item-name" dir="auto"><${Icon} name=${ICONS[one.scope]} size=${18} /> ${nameOf(one)}</span>
        ${one.is_you && html`<${Badge} tone="busy">${t("memories.you")}<//>`}
        ${hasAgents && html`<${Badge}>${one.agent}<//>`}
        <small><${Time} at=${one.changed_at} /></small>
      </span>
      <span class="meta-line">
        <span>${t("memories.facts", { count: one.count })}</span>
        ${one.quoted > 0 && html`<span>${t("memories.quoted_count", { count: one.quoted })}</span>`}
      </span>
    <//>
  </li>
`;

const SCOPES = ["agent", "chat", "person"];

function Owners({ items, hasAgents }) {
  return SCOPES.map((scope) => {
    const found = items.filter((one) => one.scope === scope);
    return (
      found.length > 0 &&
      html`<section class="section" key=${scope}>
        <h2>${t(`memories.scope_${scope}`)}</h2>
        <ul class="items">${found.map((one) => html`<${Row} key=${one.owner} one=${one} hasAgents=${hasAgents} />`)}</ul>
      </section>`
    );
  });
}

/** A choice of one of the owner's agents; nothing if there is only one. */
export function AgentChoice({ path, agent }) {
  const agents = useGet("/api/personas").data?.items || [];
  if (agents.length < 2) return null;
  const options = [{ value: "", label: t("memories.all_agents") }, ...agents.map((one) => ({ value: one.agent, label: one.name }))];
  return html`<div class="tools"><${Select} label=${t("memories.agent")} options=${options} value=${agent || ""} onPick=${(chosen) => go(withQuery(path, { agent: chosen }), { replace: true })} /></div>`;
}

function List({ query }) {
  const owners = usePages("/api/memories", { agent: query.agent });
  return html`
    <${Head} title=${t("memories.title")} sub=${t("memories.sub")} />
    <div class="view">
      <${AgentChoice} path=${ADDRESS} agent=${query.agent} />
      <${Loaded} of=${owners} empty=${html`<${Empty} icon="book" text=${t("memories.none")} />`}>
        ${(items) => html`<${Owners} items=${items} hasAgents=${new Set(items.map((one) => one.agent)).size > 1} />`}
      <//>
    </div>
  `;
}

function Owner({ owner }) {
  const found = useGet(`/api/memories/${encodeURIComponent(owner)}`);
  const data = found.data;
  return html`
    <${Head} back=${ADDRESS} title=${data ? nameOf(data) : t("memories.title")} sub=${data && t(`memories.about_${data.scope}`, { agent: data.agent })} />
    <div class="view">
      <${Loaded} of=${found}>
        ${(one) => html`
          <${Offers} of=${one} reload=${found.reload} />
          <${Kept} of=${one} reload=${found.reload} />
          <${Quoted} of=${one} reload=${found.reload} />
          <${Curated} of=${one} />
          ${one.forgotten > 0 && html`<p class="quiet">${t("memories.forgotten", { count: one.forgotten })}</p>`}
        `}
      <//>
    </div>
  `;
}

const Memories = ({ rest, query }) => (rest[0] ? html`<${Owner} key=${rest[0]} owner=${rest[0]} />` : html`<${List} query=${query} />`);

export const Component = Memories;
