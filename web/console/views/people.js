// People: who waits, who was let in, who is blocked, invitations and silences; and the page of one person.
import { html, useState } from "../../parts/html.js";
import { Select } from "../../parts/form.js";
import { Empty, Loaded } from "../../parts/loaded.js";
import { Tabs } from "../../parts/tabs.js";
import { Time } from "../../parts/time.js";
import { useFoundPages, useGet } from "../api.js";
import { Head } from "../head.js";
import { Link, go, withQuery } from "../route.js";
import { t } from "../words.js";
import { act } from "./people/acts.js";
import { Invitations } from "./people/invitations.js";
import { Person } from "./people/person.js";
import { Requests } from "./people/requests.js";
import { Silences } from "./people/silences.js";

export const personPath = (agent, person) => `/people/${encodeURIComponent(agent)}/${person}`;

function Entry({ agent, kind, entry, reload }) {
  const name = entry.name || entry.id;
  const remove = () =>
    act(`/api/people/${agent}/group/${entry.id}`, { action: "remove" }, { title: t("people.remove_group_title", { name }), text: t("people.remove_group_text"), action: t("people.remove"), after: reload });
  return html`
    <li>
      <div class="item-top">
        <span class="item-name" dir="auto">${kind === "groups" ? name : html`<${Link} to=${personPath(agent, entry.id)}>${name}<//>`}</span>
        ${entry.is_invited && html`<small>${t("people.by_invitation")}</small>`} ${kind === "blocked" && !entry.by && html`<small>${t("people.by_agent")}</small>`}
        <${Time} at=${entry.since} />
      </div>
      ${entry.why && html`<p class="quiet" dir="auto">${entry.why}</p>`}
      ${kind === "groups" && html`<div class="item-acts"><button type="button" class="button is-quiet" onClick=${remove}>${t("people.remove")}</button></div>`}
    </li>
  `;
}

function List({ agent, kind }) {
  const [words, setWords] = useState("");
  const pages = useFoundPages(`/api/people/${agent}/list/${kind}`, { q: words });
  const empty = html`<${Empty} icon="group" text=${t(words ? "people.none_found" : `people.no_${kind}`)} />`;
  return html`
    <div class="tools">
      <div class="field">
        <label for="people-search">${t("people.search")}</label>
        <input id="people-search" type="search" autocomplete="off" value=${words} onChange=${(event) => setWords(event.target.value.trim())} />
      </div>
    </div>
    <${Loaded} of=${pages} empty=${empty}>
      ${(items) => html`<ul class="items">${items.map((entry) => html`<${Entry} key=${entry.id} agent=${agent} kind=${kind} entry=${entry} reload=${pages.reload} />`)}</ul>`}
    <//>
  `;
}

function Lists({ people }) {
  const [kind, setKind] = useState("people");
  const tabs = ["people", "groups", "blocked"].map((id) => ({ id, title: t(`people.tab_${id}`, { count: people.counts[id] }) }));
  return html`
    <section class="section" aria-label=${t("people.lists")}>
      <${Tabs} label=${t("people.lists")} tabs=${tabs} chosen=${kind} onChoose=${setKind}>
        <${List} key=${kind} agent=${people.agent} kind=${kind} />
      <//>
    </section>
  `;
}

function Overview({ query }) {
  const people = useGet("/api/people", { agent: query.agent });
  return html`
    <${Head} title=${t("people.title")} />
    <div class="view">
      <${Loaded} of=${people}>
        ${(data) => html`
          ${
            data.agents.length > 1 &&
            html`<div class="tools"><${Select} label=${t("people.agent")} options=${data.agents.map((each) => ({ value: each.id, label: each.name }))} value=${data.agent} onPick=${(agent) => go(withQuery("/people", { agent }))} /></div>`
          }
          <${Requests} requests=${data.requests} reload=${people.reload} />
          <${Lists} key=${`${data.agent} ${data.counts.people} ${data.counts.groups} ${data.counts.blocked}`} people=${data} />
          <${Invitations} agent=${data.agent} invitations=${data.invitations} reload=${people.reload} />
          <${Silences} people=${data} reload=${people.reload} />
        `}
      <//>
    </div>
  `;
}

const People = ({ rest, query }) => (rest.length === 2 ? html`<${Person} key=${rest.join(" ")} agent=${rest[0]} person=${rest[1]} />` : html`<${Overview} query=${query} />`);

export const Component = People;
