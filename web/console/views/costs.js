// Costs: the amounts of a month by day, agent, chat, person, purpose and model, the forecast, and the limits.
import { html, useState } from "../../parts/html.js";
import { BarChart, Ranking } from "../../parts/charts.js";
import { Select } from "../../parts/form.js";
import { Empty, Loaded } from "../../parts/loaded.js";
import { dollars } from "../../parts/money.js";
import { Tabs } from "../../parts/tabs.js";
import { language } from "../../parts/words.js";
import { useGet } from "../api.js";
import { Head } from "../head.js";
import { go, withQuery } from "../route.js";
import { t } from "../words.js";
import { Limits } from "./costs/limits.js";

// a date without a time has no zone: it is read and written in UTC
const dayText = (day, style) => new Intl.DateTimeFormat(language(), { timeZone: "UTC", ...style }).format(new Date(`${day}T00:00:00Z`));
const longDay = (day) => dayText(day, { weekday: "short", day: "numeric", month: "long" });
const monthText = (month) => dayText(`${month}-01`, { month: "long", year: "numeric" });

const answersOf = (total) => t("costs.answers", { count: total.answers });

function Figures({ costs }) {
  const { total, today, forecast } = costs;
  return html`
    <dl class="figures">
      <div><dt>${monthText(costs.month)}</dt><dd>${dollars(total.usd)}<small>${answersOf(total)}</small></dd></div>
      ${today && html`<div><dt>${t("costs.today")}</dt><dd>${dollars(today.usd)}<small>${answersOf(today)}</small></dd></div>`}
      ${
        forecast &&
        html`<div>
          <dt>${t("costs.forecast")}</dt>
          <dd>${dollars(forecast.usd)}</dd>
        </div>`
      }
    </dl>
    ${forecast?.days_left > 0 && html`<p class="quiet">${t("costs.forecast_how", { so_far: dollars(forecast.so_far_usd), average: dollars(forecast.average_usd), days: forecast.days, count: forecast.days_left })}</p>`}
    ${costs.in_doubt_usd > 0 && html`<p class="quiet">${t("costs.in_doubt", { usd: dollars(costs.in_doubt_usd) })}</p>`}
    ${costs.is_partial && html`<p class="quiet">${t("costs.partial")}</p>`}
  `;
}

function pointsOf({ days, forecast, month }) {
  const numberOf = (day) => String(Number(day.slice(8)));
  const spent = days.map((each) => ({ label: longDay(each.day), short: numberOf(each.day), values: { usd: each.usd } }));
  const left = Array.from({ length: forecast?.days_left ?? 0 }, (_, at) => `${month}-${String(days.length + at + 1).padStart(2, "0")}`);
  return [...spent, ...left.map((day) => ({ label: t("costs.expected", { day: longDay(day) }), short: numberOf(day), values: { usd: forecast.average_usd }, isForecast: true }))];
}

function nameOf(kind, row) {
  if (row.others) return t("costs.others", { count: row.others });
  if (kind === "purposes") return t(`costs.purpose_${row.id}`);
  if (kind === "models") return row.id === "unknown" ? t("costs.unknown_model") : html`<code>${row.id}</code>`;
  if (row.is_yours) return t(kind === "people" ? "costs.you" : "costs.your_chats");
  if (kind === "people" && !row.id) return t("costs.nobody");
  if (kind === "chats" && !row.id) return t("costs.no_chat");
  if (kind === "agents" && !row.id) return t("costs.no_agent");
  return row.name || row.id;
}

const noteOf = (row) => (row.answers ? answersOf(row) : t("costs.calls", { count: row.calls }));

function Parts({ costs }) {
  const kinds = ["purposes", "people", "chats", "models", ...(costs.agents.length > 1 ? ["agents"] : [])];
  const [kind, setKind] = useState("purposes");
  const rows = costs[kind].map((row, at) => ({ id: row.id || `other-${at}`, name: nameOf(kind, row), value: row.usd, note: noteOf(row) }));
  return html`
    <section class="section" aria-label=${t("costs.by")}>
      <${Tabs} label=${t("costs.by")} tabs=${kinds.map((id) => ({ id, title: t(`costs.by_${id}`) }))} chosen=${kind} onChoose=${setKind}>
        <${Ranking} rows=${rows} format=${dollars} />
      <//>
    </section>
  `;
}

function Month({ costs }) {
  return html`
    <section class="section">
      <h2 class="hidden">${t("costs.spent")}</h2>
      <${Figures} costs=${costs} />
      <${BarChart} label=${t("costs.by_day", { month: monthText(costs.month) })} points=${pointsOf(costs)} series=${[{ id: "usd", label: t("costs.spent") }]} format=${dollars} />
    </section>
    ${costs.total.calls > 0 && html`<${Parts} costs=${costs} />`}
  `;
}

function Filters({ costs, query }) {
  const choose = (changed) => go(withQuery("/costs", { ...query, ...changed }));
  const months = costs.months.map((month) => ({ value: month, label: monthText(month) }));
  const agents = [{ value: "", label: t("costs.all_agents") }, ...costs.of.map((agent) => ({ value: agent, label: agent }))];
  return html`
    <div class="tools">
      <${Select} label=${t("costs.month")} options=${months} value=${costs.month} onPick=${(month) => choose({ month })} />
      ${costs.of.length > 1 && html`<${Select} label=${t("costs.agent")} options=${agents} value=${costs.agent} onPick=${(agent) => choose({ agent })} />`}
    </div>
  `;
}

function Costs({ query }) {
  const costs = useGet("/api/costs", { month: query.month, agent: query.agent });
  return html`
    <${Head} title=${t("costs.title")} />
    <div class="view">
      <${Loaded} of=${costs}>
        ${(data) => html`
          <${Filters} costs=${data} query=${query} />
          ${data.total.calls || data.total.answers ? html`<${Month} costs=${data} />` : html`<section class="section"><${Empty} icon="coins" text=${t("costs.none")} /></section>`}
          <${Limits} costs=${data} />
        `}
      <//>
    </div>
  `;
}

export const Component = Costs;
