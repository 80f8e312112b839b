// The rules for each trust tier: what its people get, and where the rule is set.
import { html } from "../../../parts/html.js";
import { Select } from "../../../parts/form.js";
import { attempt, toast } from "../../../parts/toasts.js";
import { post } from "../../api.js";
import { Link } from "../../route.js";
import { t } from "../../words.js";

const PRIVATE = ["answer", "ask", "ignore"];
const GROUPS = ["wait", "leave", "open"];

function choices(kind, values, persona) {
  const own = values.map((value) => ({ value, label: t(`external.${kind}_${value}`) }));
  return [{ value: "", label: t("external.as_persona", { rule: t(`external.${kind}_${persona}`) }) }, ...own];
}

const Fixed = ({ tier }) => html`<li><div class="item-top"><span class="item-name">${t(`external.tier_${tier}`)}</span></div><p class="quiet">${t(`external.tier_${tier}_get`)}</p></li>`;

export function Rules({ agent, set }) {
  const save = async (changed) => {
    const body = { private: agent.private.own, groups: agent.groups.own, ...changed };
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
        <${Fixed} tier="known" />
        <li>
          <div class="item-top"><span class="item-name">${t("external.tier_stranger")}</span></div>
          <${Select} label=${t("external.private_label")} hint=${t("external.private_hint")} options=${choices("private", PRIVATE, agent.private.persona)} value=${agent.private.own} onPick=${(value) => save({ private: value })} />
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
