// The conversations: the list at the side, and the one that is open.
import { html, useEffect, useState } from "../../parts/html.js";
import { Count } from "../../parts/badge.js";
import { Icon } from "../../parts/icon.js";
import { onListKeys } from "../../parts/list_keys.js";
import { Empty, Loaded } from "../../parts/loaded.js";
import { remember, remembered } from "../../parts/memory.js";
import { dollars } from "../../parts/money.js";
import { secondsOf, Time } from "../../parts/time.js";
import { useGet, usePages } from "../api.js";
import { Head } from "../head.js";
import { live } from "../live.js";
import { Link, go, withQuery } from "../route.js";
import { SavedFilters } from "../saved_filters.js";
import { t } from "../words.js";
import { Conversation } from "./conversation.js";
import { onLooked } from "./looked.js";
import { ChannelIcon, nameOf, placeOf } from "./naming.js";
import { lastOf } from "./talk.js";

const ACTIVE_S = 24 * 3600;
const KINDS = ["", "private", "group", "direct", "channel"];
const TIERS = ["", "owner", "known", "stranger", "blocked"];

const isActive = (row) => row.is_current && Date.now() / 1000 - secondsOf(row.updated) < ACTIVE_S;
const byTime = (a, b) => secondsOf(b.updated) - secondsOf(a.updated);

/** Whether the filters accept a row that just changed. */
function passes(row, { agent, kind, tier }) {
  if (agent && row.agent !== agent) return false;
  if (kind && row.kind !== kind && !(kind === "group" && row.kind === "supergroup")) return false;
  return tier ? row.tier === tier : !row.is_external;
}

function changed(rows, event, filters) {
  const others = (rows || []).filter((row) => row.id !== event.id);
  if (event.kind === "deleted" || !event.row?.updated || !passes(event.row, filters)) return others;
  return [event.row, ...others].sort(byTime);
}

const Last = ({ row }) =>
  row.last
    ? html`<span class="talk-last">${row.kind !== "private" || row.last.is_agent ? html`<b><bdi>${row.last.by}</bdi>:</b> ` : null}<bdi>${row.last.text || "…"}</bdi></span>`
    : html`<span class="talk-last" dir="auto">${row.opening || "…"}</span>`;

const Row = ({ row, isOpen, showAgent }) => html`
  <li>
    <${Link} to=${placeOf(row.id)} class=${`talk-row${row.unread ? " is-unread" : ""}`} data-row aria-current=${isOpen ? "page" : undefined}>
      <span class="talk-line">
        <${ChannelIcon} row=${row} /><span class="talk-who"><bdi>${row.who || t("conversations.nobody")}</bdi></span>
        <span class="talk-time"><${Time} at=${row.updated} /></span>
      </span>
      <span class="talk-line">
        <span class=${`talk-title${row.title ? "" : " is-new"}`}><bdi>${nameOf(row)}</bdi></span>
        <${Count} count=${row.unread} label=${t("conversations.unread", { count: row.unread })} />
      </span>
      <span class="talk-line">
        <${Last} row=${row} />
        ${row.cost !== null && html`<span class="talk-cost" title=${t(row.is_cost_partial ? "conversations.cost_partial" : "conversations.cost")}>${row.is_cost_partial ? "≥ " : ""}${dollars(row.cost)}</span>`}
      </span>
      ${(showAgent || row.tier === "stranger" || row.tier === "blocked") && html`<span class="talk-line talk-marks">
        ${showAgent && html`<span class="mark is-calm">${row.agent}</span>`}
        ${(row.tier === "stranger" || row.tier === "blocked") && html`<span class=${`mark ${row.tier === "blocked" ? "is-bad" : "is-warn"}`}>${t(`conversations.tier_${row.tier}`)}</span>`}
      </span>`}
    <//>
  </li>
`;

const Group = ({ name, rows, open, showAgent }) =>
  rows.length > 0 &&
  html`<section class="talk-group" aria-label=${name}>
    <h2>${name}</h2>
    <ul>${rows.map((row) => html`<${Row} key=${row.id} row=${row} isOpen=${row.id === open} showAgent=${showAgent} />`)}</ul>
  </section>`;

const Choice = ({ name, value, values, label, onPick }) => html`
  <label class="talk-filter"><span class="hidden">${label}</span>
    <select aria-label=${label} name=${name} value=${value} onChange=${(event) => onPick(event.target.value)}>
      ${values.map(([each, text]) => html`<option key=${each} value=${each} selected=${each === value}>${text}</option>`)}
    </select>
  </label>
`;

const NO_FILTERS = { agent: "", kind: "", tier: "" };
const AGENT = /^[\w-]{1,40}$/;

// other views have filters of their own in their addresses
const isOwnAddress = (route) => !route.parts.length || route.parts[0] === "conversations";

/** The filters in the address; null if it has none. */
function filtersIn(route) {
  const { agent = "", kind = "", tier = "" } = isOwnAddress(route) ? route.query : {};
  const found = { agent: AGENT.test(agent) ? agent : "", kind: KINDS.includes(kind) ? kind : "", tier: TIERS.includes(tier) ? tier : "" };
  return Object.values(found).some(Boolean) ? found : null;
}

function Filters({ filters, agents, onChange }) {
  const pick = (name) => (value) => onChange({ ...filters, [name]: value });
  return html`
    <div class="talk-filters" role="group" aria-label=${t("conversations.filters")}>
      <${Choice} name="tier" label=${t("conversations.whose")} value=${filters.tier} values=${TIERS.map((each) => [each, t(`conversations.tier_${each || "usual"}`)])} onPick=${pick("tier")} />
      <${Choice} name="kind" label=${t("conversations.where")} value=${filters.kind} values=${KINDS.map((each) => [each, t(`conversations.kind_${each || "all"}`)])} onPick=${pick("kind")} />
      ${agents.length > 1 && html`<${Choice} name="agent" label=${t("conversations.agent")} value=${filters.agent} values=${[["", t("conversations.all_agents")], ...agents.map((each) => [each, each])]} onPick=${pick("agent")} />`}
      <${SavedFilters} list="conversations" current=${filters} onOpen=${(filter) => onChange({ ...NO_FILTERS, ...filter })} />
    </div>
  `;
}


/** The list at the side. */
export function Side({ route }) {
  const [filters, setFilters] = useState(() => filtersIn(route) || { ...NO_FILTERS, ...remembered("console.talks", {}) });
  const session = useGet("/api/session");
  const pages = usePages("/api/conversations", filters);
  const open = route.parts[0] === "conversations" ? route.parts[1] : "";
  const agents = (session.data?.agents || []).map((each) => each.id || each);
  const choose = (next) => {
    remember("console.talks", next);
    setFilters(next);
    if (isOwnAddress(route)) go(withQuery(route.path, { ...route.query, ...next }), { replace: true });
  };
  const given = filtersIn(route);
  useEffect(() => given && choose(given), [JSON.stringify(given)]);
  useEffect(() => {
    const offs = [
      live.on("conversation", (event) => pages.set((rows) => changed(rows, event, filters))),
      live.on("missed", () => pages.reload()),
      onLooked((id) => pages.set((rows) => (rows || []).map((row) => (row.id === id ? { ...row, unread: 0 } : row)))),
    ];
    return () => offs.forEach((off) => off());
  });
  const empty = html`<${Empty} text=${t(Object.values(filters).some(Boolean) ? "conversations.none_so" : "conversations.none")} />`;
  return html`
    <div class="talks" onKeyDown=${onListKeys}>
      <p class="talk-begin"><${Link} to="/talk/new" class="button is-quiet"><${Icon} name="plus" size=${16} /> ${t("talk.new")}<//></p>
      <${Filters} filters=${filters} agents=${agents} onChange=${choose} />
      <${Loaded} of=${pages} empty=${empty} rows=${6}>
        ${(rows) => html`
          <${Group} name=${t("conversations.active")} rows=${rows.filter(isActive)} open=${open} showAgent=${agents.length > 1} />
          <${Group} name=${t("conversations.recent")} rows=${rows.filter((row) => !isActive(row))} open=${open} showAgent=${agents.length > 1} />
        `}
      <//>
    </div>
  `;
}

// in a narrow window the list alone is shown first
const isRoomy = () => matchMedia("(min-width: 720px)").matches;

/** The content beside the list when the page is opened: the latest web conversation, if there is one. */
function Home() {
  const last = lastOf(useGet(isRoomy() ? "/api/talk" : null).data);
  if (last) return html`<${Conversation} key=${last.conversation} id=${last.conversation} query=${{}} focus=${false} />`;
  return html`<${Head} title=${t("conversations.title")} /><div class="view"><${Empty} text=${t("conversations.choose")} /></div>`;
}

const Component = ({ rest, query }) => (rest[0] ? html`<${Conversation} key=${rest[0]} id=${rest[0]} query=${query} />` : html`<${Home} />`);

export const view = { name: "conversations", path: "/conversations", title: () => t("conversations.title"), icon: "bubble", Component, Side };
