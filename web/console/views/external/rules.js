// The rules for each trust tier: what its people get, and where the rule is set.
import { html } from "../../../parts/html.js";
import { Select } from "../../../parts/form.js";
import { attempt, toast } from "../../../parts/toasts.js";
import { post } from "../../api.js";
import { Link } from "../../route.js";
import { t } from "../../words.js";
import { amountOf, spanOf } from "../costs/limits.js";

const PRIVATE = ["answer", "ask", "ignore"];
const GROUPS = ["wait", "leave", "open"];

function choices(kind, values, persona) {
  const own = values.map((value) => ({ value, label: t(`external.${kind}_${value}`) }));
  return [{ value: "", label: t("external.as_persona", { rule: t(`external.${kind}_${persona}`) }) }, ...own];
}

const People = () => html`<${Link} to="/people">${t("people.title")}<//>`;

const Fixed = ({ tier, children }) => html`
  <li><div class="item-top"><span class="item-name">${t(`external.tier_${tier}`)}</span> ${tier !== "owner" && html`<${People} />`}</div><p class="quiet">${t(`external.tier_${tier}_get`)}</p>${children}</li>
`;

/** The limits of each person of a tier: "$1 a day · 50 answers a month". */
function Limits({ rows = [] }) {
  if (!rows.length) return null;
  const shown = rows.map(({ name, limit }) => t("costs.limit_line", { limit: amountOf(name, limit), span: spanOf(name) }));
  return html`<p class="meta-line"><span>${t("external.limits_each", { limits: shown.join(" · ") })}</span> <${Link} to="/costs">${t("people.change_limits")}<//></p>`;
}

const FELLOWS = ["known", "stranger"];

export function Rules({ agent, set }) {
  const save = async (changed) => {
    const body = { private: agent.private.own, groups: agent.groups.own, fellows: agent.fellows, ...changed };
    const answer = await attempt(() => post(`/api/external/${agent.id}/rules`, body));
    if (!answer) return;
    set(answer);
    toast(t("external.saved"));
  };
  return html`
    <section class="section">
      <h2>${t("external.rules")}</h2>
      ${agent.is_open && html`<p class="quiet">${t("external.is_open")}</p>`}
      <ul class="items">
        <${Fixed} tier="owner" />
        <${Fixed} tier="known">
          <${Select} label=${t("external.fellows_label")} hint=${t("external.fellows_hint")} options=${FELLOWS.map((value) => ({ value, label: t(`external.fellows_${value}`) }))} value=${agent.fellows ? "known" : "stranger"} onPick=${(value) => save({ fellows: value === "known" })} />
          <${Limits} rows=${agent.limits.known} />
        <//>
        <li>
          <div class="item-top"><span class="item-name">${t("external.tier_stranger")}</span></div>
          <${Select} label=${t("external.private_label")} hint=${t("external.private_hint")} options=${choices("private", PRIVATE, agent.private.persona)} value=${agent.private.own} onPick=${(value) => save({ private: value })} />
          <${Limits} rows=${agent.limits.stranger} />
        </li>
        <li>
          <div class="item-top"><span class="item-name">${t("external.tier_group")}</span></div>
          <${Select} label=${t("external.groups_label")} hint=${t("external.groups_hint")} options=${choices("groups", GROUPS, agent.groups.persona)} value=${agent.groups.own} onPick=${(value) => save({ groups: value })} />
        </li>
        <${Fixed} tier="blocked" />
      </ul>
      <p class="quiet">${t("external.limits")} <${Link} to="/costs">${t("people.change_limits")}<//></p>
    </section>
  `;
}
