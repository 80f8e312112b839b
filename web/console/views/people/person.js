// The page of one person: the trust tier, the known facts, the usage, and the owner's choices.
import { html } from "../../../parts/html.js";
import { Avatar, toneOfId } from "../../../parts/avatar.js";
import { Badge } from "../../../parts/badge.js";
import { Loaded } from "../../../parts/loaded.js";
import { dollars } from "../../../parts/money.js";
import { Time } from "../../../parts/time.js";
import { useGet } from "../../api.js";
import { Head } from "../../head.js";
import { Link } from "../../route.js";
import { t } from "../../words.js";
import { act } from "./acts.js";
import { Decide, RequestText } from "./requests.js";

export const TONES = { owner: "good", known: "good", stranger: "warn", blocked: "bad" };

/** The trust tier of a person, in a word. */
export const Tier = ({ tier }) => html`<${Badge} tone=${TONES[tier]}>${t(`people.tier_${tier}`)}<//>`;

function actionsOf(person) {
  if (person.tier === "owner") return [];
  const membership = Number(person.id) > 0 ? [person.is_listed ? "remove" : "let_in"] : [];
  return [...membership, person.blocked ? "unblock" : "block"];
}

const ASKS = new Set(["remove", "block"]);

function Acts({ person, name, reload }) {
  const path = `/api/people/${person.agent}/person/${person.id}`;
  const press = (action) => {
    const question = ASKS.has(action) ? { title: t(`people.${action}_title`, { name }), text: t(`people.${action}_text`), action: t(`people.${action}`) } : {};
    return act(path, { action }, { ...question, after: reload });
  };
  const mute = () => act(`/api/people/${person.agent}/chat/${encodeURIComponent(person.chat)}`, { on: !person.is_muted }, { after: reload });
  return html`
    <div class="item-acts">
      ${actionsOf(person).map((action) => html`<button type="button" key=${action} class=${`button${action === "let_in" ? "" : " is-quiet"}`} title=${t(`people.${action}_will`)} onClick=${() => press(action)}>${t(`people.${action}`)}</button>`)}
      ${person.chat && html`<button type="button" class="button is-quiet" title=${t(person.is_muted ? "people.unmute_will" : "people.mute_will")} onClick=${mute}>${t(person.is_muted ? "people.unmute" : "people.mute")}</button>`}
    </div>
  `;
}

const Fact = ({ name, children }) => (children ? html`<dt>${name}</dt><dd>${children}</dd>` : null);

function Facts({ person }) {
  return html`
    <dl class="facts">
      <${Fact} name=${t("people.id")}>${person.id}<//>
      <${Fact} name=${t("people.pronouns")}>${person.pronouns && html`<span dir="auto">${person.pronouns}</span>`}<//>
      <${Fact} name=${t("people.zone")}>${person.zone}<//>
      <${Fact} name=${t("people.since")}>${person.since && html`<${Time} at=${person.since} />`}<//>
      <${Fact} name=${t("people.first_seen")}>${person.first_seen && html`<${Time} at=${person.first_seen} />`}<//>
      <${Fact} name=${t("people.last_seen")}>${person.last_seen && html`<${Time} at=${person.last_seen} />`}<//>
      <${Fact} name=${t("people.groups")}>${person.groups.length > 0 && person.groups.map((group) => html`<div dir="auto" key=${group.id}>${group.name || group.id}</div>`)}<//>
    </dl>
  `;
}

const totalText = (total) => html`${dollars(total.usd)}<small>${t("costs.answers", { count: total.answers })}</small>`;

function Used({ person }) {
  const limits = Object.entries(person.limits);
  const written = ([name, most]) => t("people.limit", { limit: name.endsWith("usd") ? dollars(most) : t("costs.answers", { count: most }), span: t(name.startsWith("day") ? "costs.a_day" : "costs.a_month") });
  return html`
    <section class="section">
      <h2>${t("people.used")}</h2>
      <dl class="figures">
        <div><dt>${t("people.today")}</dt><dd>${totalText(person.today)}</dd></div>
        <div><dt>${t("people.this_month")}</dt><dd>${totalText(person.month)}</dd></div>
      </dl>
      <p class="quiet">${limits.length ? t("people.limits_are", { limits: limits.map(written).join(", ") }) : t("people.no_limits")} <${Link} to="/costs">${t("people.change_limits")}<//></p>
    </section>
  `;
}

function Page({ person, reload }) {
  const name = person.name || person.id;
  return html`
    <section class="section">
      <div class="item-top">
        <${Avatar} name=${name} tone=${toneOfId(person.id)} size="l" />
        <h2 dir="auto">${name}</h2>
        ${person.username && html`<small>@${person.username}</small>`} <${Tier} tier=${person.tier} />
      </div>
      ${person.blocked && html`<p>${t(person.blocked.is_by_agent ? "people.blocked_by_agent" : "people.blocked_by_you")} <${Time} at=${person.blocked.since} />${person.blocked.why && html`: <q dir="auto">${person.blocked.why}</q>`}</p>`}
      <${Facts} person=${person} />
      <${Acts} person=${person} name=${name} reload=${reload} />
    </section>
    ${
      person.request?.state === "waiting" &&
      html`<section class="section"><h2>${t("people.waits")}</h2><div class="items"><div><${RequestText} request=${person.request} /><${Decide} agent=${person.agent} request=${person.request} reload=${reload} /></div></div></section>`
    }
    <${Used} person=${person} />
    <section class="section">
      <h2>${t("people.more")}</h2>
      <ul class="items">
        <li><${Link} to=${`/memories?agent=${encodeURIComponent(person.agent)}&person=${person.id}`}>${t("people.memories")}<//></li>
        ${person.tier !== "owner" && html`<li><${Link} to=${`/external/${encodeURIComponent(person.agent)}/${person.id}`}>${t("people.exchange")}<//></li>`}
        <li><${Link} to=${`/trouble/person/${person.id}`}>${t("people.data")}<//></li>
      </ul>
    </section>
  `;
}

export function Person({ agent, person }) {
  const found = useGet(`/api/people/${agent}/person/${person}`);
  return html`
    <${Head} title=${found.data?.name || t("people.person")} back=${`/people?agent=${encodeURIComponent(agent)}`} />
    <div class="view"><${Loaded} of=${found}>${(data) => html`<${Page} person=${data} reload=${found.reload} />`}<//></div>
  `;
}
