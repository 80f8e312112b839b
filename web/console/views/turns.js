// Turns: the decisions in the newest conversations with their results, to browse, mark and open.
import { html } from "../../parts/html.js";
import { Badge } from "../../parts/badge.js";
import { duration } from "../../parts/clock.js";
import { Select } from "../../parts/form.js";
import { Icon } from "../../parts/icon.js";
import { Empty, Loaded } from "../../parts/loaded.js";
import { dollars } from "../../parts/money.js";
import { Time } from "../../parts/time.js";
import { attempt } from "../../parts/toasts.js";
import { told } from "../../parts/told.js";
import { post, useFoundPages, useGet, usePages } from "../api.js";
import { Head } from "../head.js";
import { Link, go, withQuery } from "../route.js";
import { SavedFilters } from "../saved_filters.js";
import { t } from "../words.js";
import { Marking } from "./marking.js";
import { tierOf } from "./naming.js";

const KINDS = ["", "answered", "silent", "failed", "slow", "tools", "outside"];
const apiOf = (turn) => `/api/conversations/${encodeURIComponent(turn.conversation)}`;

/** The marks of all conversations, for the button that marks one turn. */
function useAllMarks() {
  const read = usePages("/api/marks");
  const marks = read.items || [];
  return (turn) => ({
    of: (seq) => marks.find((mark) => mark.conversation === turn.conversation && mark.seq === seq),
    set: (seq, verdict) => attempt(() => post(`${apiOf(turn)}/marks`, { seq, verdict }).then(read.reload)),
    remove: (mark) => attempt(() => post(`/api/marks/${encodeURIComponent(mark.id)}/remove`).then(read.reload)),
  });
}

const State = ({ turn }) =>
  turn.problems.length > 0
    ? html`<${Badge} tone="bad">${t("turns.failed")}<//>`
    : turn.responds
      ? html`<${Badge} tone="good">${t("why.answered")}<//>`
      : html`<${Badge}>${t("why.silent")}<//>`;

const Facts = ({ turn }) => html`
  <p class="meta-line">
    <span>${told(turn.reason)} <span class="quiet">(${tierOf(turn.tier)})</span></span>
    ${turn.answer_s !== null && html`<span>${t("turns.after", { time: duration(turn.answer_s * 1000) })}</span>`} ${turn.cost !== null && html`<span>${dollars(turn.cost)}</span>`}
    ${turn.models.length > 0 && html`<span>${turn.models.join(", ")}</span>`} ${turn.tokens > 0 && html`<span>${t("turns.tokens", { count: turn.tokens })}</span>`}
    ${turn.tools.length > 0 && html`<span><${Icon} name="search" size=${14} /> ${turn.tools.join(", ")}</span>`}
    ${turn.outside.length > 0 && html`<span><${Icon} name="outside" size=${14} /> ${turn.outside.map((each) => told(each)).join("; ")}</span>`}
  </p>
`;

function Turn({ turn, marks, showAgent }) {
  const place = `/conversations/${encodeURIComponent(turn.conversation)}`;
  const item = { seq: turn.seq, decision: { tier: turn.tier, respond: turn.responds } };
  return html`
    <li>
      <div class="item-top">
        <${State} turn=${turn} />
        <span class="item-name"><${Link} to=${withQuery(place, { seq: String(turn.seq) })} data-row><bdi>${turn.who || turn.by}</bdi>${turn.title ? html` · <bdi>${turn.title}</bdi>` : ""}<//></span>
        ${showAgent && html`<small>${turn.agent}</small>`}<${Time} at=${turn.at} style="when" />
      </div>
      <p class="item-text" dir="auto"><b><bdi>${turn.by}</bdi>:</b> ${turn.text}</p>
      ${turn.answer && html`<p class="item-text turn-answer" dir="auto"><${Icon} name="reply" size=${14} /> ${turn.answer}</p>`} ${turn.problems.map((problem) => html`<p class="why" key=${problem} dir="auto">${told(problem)}</p>`)}
      <${Facts} turn=${turn} />
      <div class="item-acts"><${Link} class="button is-quiet" to=${`${place}/why/${turn.seq}`}>${t("why.why")}<//><${Marking} item=${item} marks=${marks(turn)} /></div>
    </li>
  `;
}

const filterIn = ({ agent, kind, reason, tier }) => ({ agent, kind, reason, tier });

function Filters({ query, agents, slow }) {
  const choose = (changed) => go(withQuery("/turns", { ...query, ...changed }), { replace: true });
  const kinds = KINDS.map((value) => ({ value, label: t(`turns.kind_${value || "all"}`, { seconds: slow }) }));
  const owned = [{ value: "", label: t("metrics.all_agents") }, ...agents.map((value) => ({ value, label: value }))];
  return html`
    <div class="tools">
      <${Select} label=${t("turns.shown")} options=${kinds} value=${query.kind || ""} onPick=${(kind) => choose({ kind })} />
      ${agents.length > 1 && html`<${Select} label=${t("metrics.agent")} options=${owned} value=${query.agent || ""} onPick=${(agent) => choose({ agent })} />`}
      <${SavedFilters} list="turns" current=${filterIn(query)} onOpen=${(filter) => go(withQuery("/turns", filter))} />
      ${query.reason && html`<p class="item-acts"><span>${t("turns.reason", { reason: told(query.reason) })}</span> <${Link} class="link" to=${withQuery("/turns", { ...query, reason: "", tier: "" })}>${t("turns.every_reason")}<//></p>`}
    </div>
  `;
}

function Turns({ query }) {
  const turns = useFoundPages("/api/turns", filterIn(query));
  const agents = useGet("/api/session").data?.agents || [];
  const marks = useAllMarks();
  const empty = html`<${Empty} icon="list" text=${t(turns.hasMore ? "turns.none_here" : "turns.none")} />`;
  return html`
    <${Head} title=${t("turns.title")} />
    <div class="view">
      <p class="quiet">${t("turns.hint")}</p>
      <${Filters} query=${query} agents=${agents} slow=${turns.data?.slow_s ?? 20} />
      <${Loaded} of=${turns} empty=${empty}>
        ${(items) => html`<section class="section"><ul class="items">${items.map((turn) => html`<${Turn} key=${`${turn.conversation} ${turn.seq}`} turn=${turn} marks=${marks} showAgent=${agents.length > 1} />`)}</ul></section>`}
      <//>
    </div>
  `;
}

export const Component = Turns;
