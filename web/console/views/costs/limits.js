// The limits: the used share of each, and a dialog that lowers them. The limits in the settings cannot be raised here.
import { html } from "../../../parts/html.js";
import { Badge } from "../../../parts/badge.js";
import { Dialog } from "../../../parts/dialog.js";
import { openDialog } from "../../../parts/dialogs.js";
import { Field, Form } from "../../../parts/form.js";
import { Loaded } from "../../../parts/loaded.js";
import { dollars } from "../../../parts/money.js";
import { toast } from "../../../parts/toasts.js";
import { language } from "../../../parts/words.js";
import { post, useGet } from "../../api.js";
import { t } from "../../words.js";

const NAMES = ["day_usd", "month_usd", "day_messages", "month_messages"];
const isMoney = (name) => name.endsWith("usd");
const percent = (share) => new Intl.NumberFormat(language(), { style: "percent" }).format(share);

/** An amount of a limit as text: US dollars, or a number of answers. */
export const amountOf = (name, value) => (isMoney(name) ? dollars(value) : t("costs.answers", { count: value }));

/** The span of a limit as text. */
export const spanOf = (name) => t(name.startsWith("day") ? "costs.a_day" : "costs.a_month");

function Bar({ name, row }) {
  const used = row.spent + row.lent;
  const share = row.limit ? Math.min(1, used / row.limit) : Number(used > 0 || row.limit === 0);
  const tone = share >= 1 ? "bad" : share >= 0.8 ? "warn" : "good";
  return html`
    <span class="ranked-bar" aria-hidden="true"><i style=${{ width: `${100 * share}%` }}></i></span>
    <span class="meta-line">
      <span>${t("costs.used", { used: amountOf(name, row.spent) })}</span>
      ${row.lent > 0 && html`<span>${t("costs.lent", { lent: amountOf(name, row.lent) })}</span>`}
      ${tone !== "good" && html`<${Badge} tone=${tone}>${percent(share)}<//>`}
    </span>
  `;
}

function Row({ row }) {
  const { name } = row;
  if (row.limit === null) return null;
  return html`
    <li>
      <span class="ranked-name">${t("costs.limit_line", { limit: amountOf(name, row.limit), span: spanOf(name) })}</span>
      <small>${row.own !== null && row.setting !== null && row.own < row.setting ? t("costs.lowered_from", { setting: amountOf(name, row.setting) }) : ""}</small>
      ${row.spent !== undefined && html`<${Bar} name=${name} row=${row} />`}
    </li>
  `;
}

const fieldsOf = (rows) => rows.filter((row) => row.can_change);

function limitsIn(form) {
  const numbers = NAMES.map((name) => [name, (form.get(name) || "").trim()]);
  return Object.fromEntries(numbers.filter(([, text]) => text !== "").map(([name, text]) => [name, Number(text)]));
}

function LimitField({ row }) {
  const { name, setting } = row;
  const hint = setting === null ? t("costs.no_setting") : t("costs.setting_is", { setting: amountOf(name, setting) });
  return html`<${Field}
    label=${t(`costs.${name}`)}
    hint=${hint}
    name=${name}
    type="number"
    inputmode="decimal"
    min="0"
    max=${setting ?? undefined}
    step=${isMoney(name) ? "any" : "1"}
    value=${row.own ?? ""}
  />`;
}

const change = ({ title, rows, send }) =>
  openDialog(({ close }) => {
    const onSend = async (form) => {
      await send(limitsIn(form));
      close();
      toast(t("costs.saved"));
    };
    return html`
      <${Dialog} title=${title} onClose=${close}>
        <p>${t("costs.only_lower")}</p>
        <${Form} submit=${t("costs.save")} onSend=${onSend}>${fieldsOf(rows).map((row) => html`<${LimitField} key=${row.name} row=${row} />`)}<//>
      <//>
    `;
  });

const changeShare = ({ limits, send }) =>
  openDialog(({ close }) => {
    const { setting, own } = limits.soft_share;
    const onSend = async (form) => {
      const text = (form.get("share") || "").trim();
      await send({ soft_share: text === "" ? null : Number(text) / 100 });
      close();
      toast(t("costs.saved"));
    };
    return html`
      <${Dialog} title=${t("costs.soft_title")} onClose=${close}>
        <p>${t("costs.soft_how")}</p>
        <${Form} submit=${t("costs.save")} onSend=${onSend}>
          <${Field} label=${t("costs.soft_percent")} hint=${t("costs.setting_is", { setting: percent(setting) })} name="share" type="number" inputmode="numeric" min="10" max=${Math.round(setting * 100)} step="1" value=${own === null ? "" : Math.round(own * 100)} />
        <//>
      <//>
    `;
  });

function Group({ title, sub, rows, mayChange, onChange }) {
  const shown = rows.filter((row) => row.limit !== null);
  return html`
    <div class="limit-group">
      <div class="section-head">
        <h3>${title}</h3>
        ${mayChange && html`<button type="button" class="button is-quiet" onClick=${onChange} aria-label=${t("costs.change_of", { title })}>${t("costs.change")}</button>`}
      </div>
      ${sub && html`<p class="quiet">${sub}</p>`}
      ${shown.length ? html`<ul class="ranked">${shown.map((row) => html`<${Row} key=${row.name} row=${row} />`)}</ul>` : html`<p class="quiet">${t("costs.unlimited")}</p>`}
    </div>
  `;
}

function Agent({ agent, isAlone, send }) {
  const parts = ["agent", "known", "stranger", "chat"];
  const title = (part) => (isAlone ? t(`costs.part_${part}`) : t("costs.part_of", { part: t(`costs.part_${part}`), agent: agent.id }));
  return parts.map(
    (part) => html`<${Group}
      key=${part}
      title=${title(part)}
      rows=${agent.parts[part]}
      mayChange
      onChange=${() => change({ title: title(part), rows: agent.parts[part], send: (limits) => send({ part, agent: agent.id, limits }) })}
    />`,
  );
}

function Shares({ limits, costs, send }) {
  const month = limits.deployment.find((row) => row.name === "month_usd").limit;
  const background = month === null ? null : month * limits.background_share;
  const soft = Math.min(limits.soft_share.setting, limits.soft_share.own ?? 1);
  return html`
    <div class="limit-group">
      <div class="section-head">
        <h3>${t("costs.shares")}</h3>
        ${limits.may_change_deployment && html`<button type="button" class="button is-quiet" onClick=${() => changeShare({ limits, send })} aria-label=${t("costs.change_of", { title: t("costs.soft_title") })}>${t("costs.change")}</button>`}
      </div>
      <ul class="items">
        <li>${t("costs.soft_line", { share: percent(soft) })}</li>
        <li>${t("costs.owner_line", { share: percent(limits.owner_share) })} ${costs.forecast && t("costs.owner_used", { used: dollars(costs.owner_usd) })}</li>
        <li>
          ${t("costs.background_line", { share: percent(limits.background_share) })}${" "}
          ${background !== null && costs.forecast && t("costs.background_used", { used: dollars(costs.background_usd), most: dollars(background) })}
        </li>
      </ul>
    </div>
  `;
}

/** `costs`: the costs of the chosen month. */
export function Limits({ costs }) {
  const limits = useGet("/api/costs/limits");
  const send = async (body) => limits.set(await post("/api/costs/limits", body));
  return html`
    <section class="section">
      <h2>${t("costs.limits")}</h2>
      <${Loaded} of=${limits}>
        ${(data) => html`
          <p class="quiet">${data.is_on ? t("costs.limits_how") : t("costs.limits_off")}</p>
          <${Group}
            title=${t("costs.part_deployment")}
            sub=${data.may_change_deployment ? null : t("costs.deployment_of_others")}
            rows=${data.deployment}
            mayChange=${data.may_change_deployment}
            onChange=${() => change({ title: t("costs.part_deployment"), rows: data.deployment, send: (given) => send({ part: "deployment", limits: given }) })}
          />
          ${data.agents.map((agent) => html`<${Agent} key=${agent.id} agent=${agent} isAlone=${data.agents.length === 1} send=${send} />`)}
          <${Shares} limits=${data} costs=${costs} send=${send} />
        `}
      <//>
    </section>
  `;
}
