// One person's private chat with an agent: what they wrote, what was answered, and under which rule.
import { html } from "../../../parts/html.js";
import { Badge } from "../../../parts/badge.js";
import { Empty, Loaded } from "../../../parts/loaded.js";
import { Time } from "../../../parts/time.js";
import { told } from "../../../parts/told.js";
import { useGet } from "../../api.js";
import { Head } from "../../head.js";
import { Link } from "../../route.js";
import { t } from "../../words.js";
import { Tier } from "../people/person.js";
import { Decide } from "../people/requests.js";

const RULES = { refused: "warn", answered_later: "good", silent: "calm", once: "busy", known: "good", open: "good", none: "calm" };

function Entry({ entry, name }) {
  if (entry.kind === "decision") return html`<li class="quiet"><div class="item-top"><span>${t(`external.decided_${entry.state.replace(" ", "_")}`)}</span><${Time} at=${entry.at} /></div></li>`;
  const isAgent = entry.kind === "agent";
  return html`
    <li>
      <div class="item-top">
        <span class="item-name" dir="auto">${isAgent ? t("external.agent") : name}</span>
        ${!isAgent && entry.rule !== "none" && html`<${Badge} tone=${RULES[entry.rule]} title=${told(entry.reason)}>${t(`external.rule_${entry.rule}`)}<//>`}
        <${Time} at=${entry.at} />
      </div>
      ${entry.media && html`<p class="quiet" dir="auto">${entry.media}</p>`} ${entry.text && html`<p class="item-text" dir="auto">${entry.text}</p>`}
    </li>
  `;
}

function Page({ found, agent, reload }) {
  const name = found.name || found.person;
  return html`
    <section class="section">
      <div class="item-top">
        <h2 dir="auto">${name}</h2>
        ${found.username && html`<small>@${found.username}</small>`} <${Tier} tier=${found.tier} />
      </div>
      <p class="quiet">${t(`external.about_${found.tier}`)}</p>
      ${found.request?.state === "waiting" && html`<${Decide} agent=${agent} request=${found.request} reload=${reload} />`}
      <p><${Link} to=${`/people/${encodeURIComponent(agent)}/${found.person}`}>${t("external.to_person")}<//></p>
    </section>
    <section class="section">
      <h2>${t("external.messages")}</h2>
      <p class="quiet">${t("external.read_only")}${found.is_shortened ? ` ${t("external.shortened")}` : ""}</p>
      ${found.entries.length ? html`<ol class="items">${found.entries.map((entry, at) => html`<${Entry} key=${at} entry=${entry} name=${name} />`)}</ol>` : html`<${Empty} icon="outside" text=${t("external.no_messages")} />`}
    </section>
  `;
}

export function Exchange({ agent, person }) {
  const found = useGet(`/api/external/${agent}/people/${person}`);
  return html`
    <${Head} title=${found.data?.name || t("external.short")} back=${`/external?agent=${encodeURIComponent(agent)}`} />
    <div class="view"><${Loaded} of=${found}>${(data) => html`<${Page} found=${data} agent=${agent} reload=${found.reload} />`}<//></div>
  `;
}
