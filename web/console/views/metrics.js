// Metrics: the reasons of decisions over time, lengths and participants of conversations, and marks as cases.
import { html, useState } from "../../parts/html.js";
import { Badge } from "../../parts/badge.js";
import { BarChart, Ranking } from "../../parts/charts.js";
import { duration } from "../../parts/clock.js";
import { Select } from "../../parts/form.js";
import { Empty, Loaded } from "../../parts/loaded.js";
import { Time } from "../../parts/time.js";
import { attempt, toast } from "../../parts/toasts.js";
import { told } from "../../parts/told.js";
import { language } from "../../parts/words.js";
import { post, useGet, usePages } from "../api.js";
import { Head } from "../head.js";
import { Link, withQuery } from "../route.js";
import { t } from "../words.js";
import { tierOf } from "./naming.js";

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);
const written = (number) => new Intl.NumberFormat(language()).format(number);
const percent = (share) => new Intl.NumberFormat(language(), { style: "percent" }).format(share);
const dayOf = (day, options) => new Intl.DateTimeFormat(language(), { timeZone: "UTC", ...options }).format(new Date(day));

function pointsOf({ days, reasons }) {
  const at = (place, isAnswered) => sum(reasons.filter((each) => each.respond === isAnswered).map((each) => each.counts[place]));
  return days.map((day, place) => ({
    label: dayOf(day, { dateStyle: "medium" }),
    short: dayOf(day, { day: "numeric", month: "numeric" }),
    values: { yes: at(place, true), no: at(place, false) },
  }));
}

const reasonOf = (each) => {
  const words = told(each.reason) || t("metrics.reason_none");
  const place = withQuery("/turns", { kind: each.respond ? "" : "silent", tier: each.tier, reason: each.reason });
  return html`<${Link} to=${place}>${words}<//> <small class="quiet">${tierOf(each.tier)}</small>`;
};

function Decisions({ data }) {
  const totals = { yes: 0, no: 0 };
  for (const each of data.reasons) totals[each.respond ? "yes" : "no"] += sum(each.counts);
  const all = totals.yes + totals.no;
  if (!all) return html`<section class="section"><${Empty} icon="poll" text=${t("metrics.no_decisions")} /></section>`;
  const rows = (isAnswered) =>
    data.reasons.filter((each) => each.respond === isAnswered).map((each) => ({ id: `${each.tier} ${each.reason}`, name: reasonOf(each), value: sum(each.counts) }));
  const series = [{ id: "yes", label: t("metrics.answered") }, { id: "no", label: t("metrics.silent") }];
  return html`
    <section class="section">
      <h2>${t("metrics.decisions")}</h2>
      <dl class="figures">
        <div><dt>${t("metrics.messages")}</dt><dd>${written(all)}</dd></div>
        <div><dt>${t("metrics.answered")}</dt><dd>${written(totals.yes)}</dd></div>
        <div><dt>${t("metrics.answered_share")}</dt><dd>${percent(totals.yes / all)}</dd></div>
      </dl>
      <${BarChart} label=${t("metrics.decisions")} points=${pointsOf(data)} series=${series} format=${written} />
    </section>
    <div class="cards">
      <section class="section"><h2>${t("metrics.answered")}</h2><${Ranking} rows=${rows(true)} format=${written} /></section>
      <section class="section"><h2>${t("metrics.silent")}</h2><${Ranking} rows=${rows(false)} format=${written} /></section>
    </div>
  `;
}

const Times = ({ data }) =>
  data.answer_times.length > 0 &&
  html`<section class="section">
    <h2>${t("metrics.times")}</h2>
    <div class="table-scroll" tabindex="0" role="region" aria-label=${t("metrics.times")}>
      <table>
        <thead>
          <tr><th scope="col">${t("metrics.model")}</th><th scope="col" class="number">${t("metrics.answers")}</th><th scope="col" class="number">${t("metrics.median")}</th><th scope="col" class="number">${t("metrics.slow")}</th></tr>
        </thead>
        <tbody>
          ${data.answer_times.map((each) => html`<tr key=${each.model}><th scope="row"><code>${each.model}</code></th><td class="number">${written(each.answers)}</td><td class="number">${duration(each.median_ms)}</td><td class="number">${duration(each.slow_ms)}</td></tr>`)}
        </tbody>
      </table>
    </div>
    <p class="quiet">${t("metrics.times_hint")}</p>
  </section>`;

const BUCKETS = [1, 2, 5, 10, 20, 50, 100];

function lengthsOf(conversations) {
  const counts = [...BUCKETS, Infinity].map((most, place) => {
    const least = place ? BUCKETS[place - 1] + 1 : 0;
    const label = most === Infinity ? `> ${BUCKETS.at(-1)}` : least === most || !place ? String(most) : `${least}–${most}`;
    return { label, short: label, values: { count: conversations.filter((each) => each.turns >= least && each.turns <= most).length } };
  });
  return counts;
}

const LONGEST = 15;

function Lengths({ data }) {
  if (!data.conversations.length) return null;
  const longest = [...data.conversations].sort((a, b) => b.turns - a.turns).slice(0, LONGEST);
  return html`
    <section class="section">
      <h2>${t("metrics.lengths")}</h2>
      <${BarChart} label=${t("metrics.lengths")} points=${lengthsOf(data.conversations)} series=${[{ id: "count", label: t("metrics.conversations") }]} format=${written} />
    </section>
    <section class="section">
      <h2>${t("metrics.long")}</h2>
      <div class="table-scroll" tabindex="0" role="region" aria-label=${t("metrics.long")}>
        <table>
          <thead>
            <tr><th scope="col">${t("metrics.conversation")}</th><th scope="col" class="number">${t("metrics.turns")}</th><th scope="col" class="number">${t("metrics.entries")}</th><th scope="col" class="number">${t("metrics.participants")}</th></tr>
          </thead>
          <tbody>
            ${longest.map(
              (each) => html`<tr key=${each.id}>
                <th scope="row"><${Link} to=${`/conversations/${each.id}`}><bdi>${each.name || each.id}</bdi><//></th>
                <td class="number">${written(each.turns)}</td><td class="number">${written(each.entries)}</td><td class="number">${each.participants === null ? "–" : written(each.participants)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </section>
  `;
}

const Topics = ({ data }) =>
  data.topics.length > 0 &&
  html`<section class="section">
    <h2>${t("conversation.topics")}</h2>
    <${Ranking} rows=${data.topics.map((each) => ({ id: each.topic, name: html`<${Link} to=${withQuery("/search", { q: each.topic })}>${each.topic}<//>`, value: each.count }))} format=${written} />
  </section>`;

function Marks() {
  const marks = usePages("/api/marks");
  const remove = (mark) =>
    attempt(async () => {
      await post(`/api/marks/${encodeURIComponent(mark.id)}/remove`);
      toast(t("metrics.removed"));
      marks.reload();
    });
  return html`
    <section class="section">
      <div class="section-head"><h2>${t("metrics.marks")}</h2><a class="button is-quiet" href="/api/marks/cases" download="lull-decisions.jsonl">${t("metrics.download")}</a></div>
      <p class="quiet">${t("metrics.cases_text")}</p>
      <${Loaded} of=${marks} empty=${html`<${Empty} icon="check" text=${t("metrics.no_marks")} />`}>
        ${(items) => html`<ul class="items">
          ${items.map(
            (mark) => html`<li key=${mark.id}>
              <div class="item-top">
                <${Badge} tone=${mark.verdict === "right" ? "good" : "bad"}>${t(`marks.${mark.verdict}`)}<//>
                <${Link} to=${`/conversations/${mark.conversation}?seq=${mark.seq}`}>${t(mark.answered ? "marks.answered" : "marks.silent")} · ${mark.agent}<//>
                <${Time} at=${mark.at} />
              </div>
              <div class="item-acts"><button type="button" class="button is-quiet" onClick=${() => remove(mark)}>${t("metrics.remove")}</button></div>
            </li>`,
          )}
        </ul>`}
      <//>
    </section>
  `;
}

function Metrics() {
  const [agent, setAgent] = useState("");
  const [agents, setAgents] = useState([]);
  const metrics = useGet("/api/metrics", { agent });
  const known = metrics.data && !agent ? [...new Set(metrics.data.conversations.map((each) => each.agent))].sort() : agents;
  if (known.length !== agents.length) setAgents(known);
  const options = [{ value: "", label: t("metrics.all_agents") }, ...known.map((each) => ({ value: each, label: each }))];
  return html`
    <${Head} title=${t("metrics.title")} />
    <div class="view">
      ${known.length > 1 && html`<div class="tools"><${Select} label=${t("metrics.agent")} options=${options} value=${agent} onPick=${setAgent} /></div>`}
      <${Loaded} of=${metrics}>
        ${(data) => html`
          <p class="quiet">${t(data.is_sample ? "metrics.sample" : "metrics.sample_all", { count: data.sample })}</p>
          <${Decisions} data=${data} /><${Times} data=${data} /><${Topics} data=${data} /><${Lengths} data=${data} />
        `}
      <//>
      <${Marks} />
    </div>
  `;
}

export const Component = Metrics;
