// Search in all conversations of the owner's agents: words, meaning and filters; each result leads to its message.
import { html, useState } from "../../parts/html.js";
import { Badge } from "../../parts/badge.js";
import { Field, Select } from "../../parts/form.js";
import { Icon } from "../../parts/icon.js";
import { Empty, Loaded } from "../../parts/loaded.js";
import { Time } from "../../parts/time.js";
import { told } from "../../parts/told.js";
import { useGet, useSearch } from "../api.js";
import { Head } from "../head.js";
import { Link, go, withQuery } from "../route.js";
import { language, t } from "../words.js";

const FILTERS = ["agent", "channel", "person", "chat", "since", "until", "conversation"];
const TROUBLES = {
  no_model: "search.trouble_no_model",
  no_neighbours: "search.trouble_no_neighbours",
  no_vector: "search.trouble_no_vector",
  no_words: "search.trouble_no_words",
};

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The pieces of a text: [{text, isHit}]. `ranges` are [start, end] in Unicode code points, as in Python. */
export function pieces(text, ranges) {
  const letters = [...text];
  const found = [];
  let at = 0;
  for (const [start, end] of ranges) {
    if (start > at) found.push({ text: letters.slice(at, start).join(""), isHit: false });
    found.push({ text: letters.slice(start, end).join(""), isHit: true });
    at = end;
  }
  if (at < letters.length) found.push({ text: letters.slice(at).join(""), isHit: false });
  return found;
}

const Snippet = ({ text, ranges }) => html`
  <p class="item-text search-snippet" dir="auto">${pieces(text, ranges).map(({ text: piece, isHit }) => (isHit ? html`<mark>${piece}</mark>` : piece))}</p>
`;

const percent = (share) => new Intl.NumberFormat(language(), { style: "percent" }).format(share);

function Result({ item }) {
  const place = withQuery(`/conversations/${encodeURIComponent(item.conversation)}`, { seq: String(item.seq) });
  const title = item.title || t("search.untitled");
  return html`
    <li>
      <div class="item-top">
        <${Link} to=${place} class="item-name" data-row><bdi>${title}</bdi><//>
        ${item.outside.length > 0 && html`<${Badge} tone="warn" title=${item.outside.map((each) => told(each)).join("; ")}>${t("search.outside")}<//>`}
        <${Time} at=${item.at} style="day" />
      </div>
      <${Snippet} text=${item.snippet} ranges=${item.hits} />
      ${item.notes.map((note) => html`<p class="quiet" key=${note.text} dir="auto">${t("search.note", { text: note.text })}</p>`)}
      <div class="meta-line">
        ${item.chat_title && html`<span><${Icon} name=${item.channel === "web" ? "globe" : item.is_private ? "person" : "group"} size=${14} /> <bdi>${item.chat_title}</bdi></span>`}
        <span>${item.agent}</span>
        <span title=${String(item.score)}>${t("search.score", { percent: percent(Math.min(1, item.fit)) })}</span>
        ${item.topics.length > 0 && html`<span dir="auto">${item.topics.join(", ")}</span>`}
      </div>
    </li>
  `;
}

function Filters({ query, agents, isOpen }) {
  return html`
    <div class="tools search-filters" hidden=${!isOpen}>
      ${
        agents.length > 1 &&
        html`<${Select} label=${t("search.agent")} name="agent" value=${query.agent || ""} options=${[{ value: "", label: t("search.all_agents") }, ...agents.map((value) => ({ value, label: value }))]} />`
      }
      <${Select} label=${t("search.channel")} name="channel" value=${query.channel || ""} options=${[{ value: "", label: t("search.all_channels") }, { value: "telegram", label: "Telegram" }, { value: "web", label: t("search.channel_web") }]} />
      <${Field} label=${t("search.person")} name="person" hint=${t("search.person_hint")} value=${query.person || ""} />
      <${Field} label=${t("search.chat")} name="chat" hint=${t("search.chat_hint")} value=${query.chat || ""} />
      <${Field} label=${t("search.since")} name="since" type="date" value=${query.since || ""} />
      <${Field} label=${t("search.until")} name="until" type="date" value=${query.until || ""} />
    </div>
  `;
}

function Box({ query }) {
  const agents = useGet("/api/session").data?.agents || [];
  const [isOpen, setOpen] = useState(FILTERS.some((name) => name !== "conversation" && query[name]));
  const submit = (event) => {
    event.preventDefault();
    const fields = Object.fromEntries([...new FormData(event.target)].map(([name, value]) => [name, value.trim()]));
    go(withQuery("/search", { conversation: query.conversation, ...fields }));
  };
  return html`
    <form class="section search-box" role="search" onSubmit=${submit}>
      <div class="search-line">
        <input type="search" name="q" class="search-field" aria-label=${t("search.query")} placeholder=${t("search.query")} value=${query.q || ""} key=${query.q} maxlength="500" autocomplete="off" enterkeyhint="search" />
        <button type="submit" class="button">${t("search.go")}</button>
      </div>
      <div class="search-line">
        <button type="button" class="link" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>${t("search.filters")}</button>
        ${
          query.conversation &&
          html`<span class="quiet">${t("search.in_conversation")}</span>
            <${Link} to=${withQuery("/search", { ...query, conversation: "" })} class="link">${t("search.in_everything")}<//>`
        }
      </div>
      <${Filters} query=${query} agents=${agents} isOpen=${isOpen} key=${FILTERS.map((name) => query[name]).join(" ")} />
    </form>
  `;
}

function Results({ query }) {
  const asked = { q: query.q, ...Object.fromEntries(FILTERS.map((name) => [name, query[name]])), zone: zone() };
  const found = useSearch("/api/search", asked);
  return html`
    <${Loaded} of=${found} isEmpty=${(data) => !data.items.length} empty=${html`<${Empty} icon="search" text=${t("search.none")} />`}>
      ${(data) => html`
        <section class="section">
          <h2>${t("search.found", { count: data.total })}</h2>
          ${data.trouble && html`<p class="quiet" role="status">${t(TROUBLES[data.trouble] || "search.trouble_other")}</p>`}
          <ul class="items">${data.items.map((item) => html`<${Result} key=${`${item.conversation} ${item.seq}`} item=${item} />`)}</ul>
        </section>
      `}
    <//>
  `;
}

export function Component({ query }) {
  const isAsked = Boolean(query.q || FILTERS.some((name) => query[name]));
  return html`
    <${Head} title=${t("search.title")} />
    <div class="view">
      <${Box} query=${query} />
      ${isAsked ? html`<${Results} query=${query} />` : html`<${Empty} icon="search" text=${t("search.ask")} />`}
    </div>
  `;
}
