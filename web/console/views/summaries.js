// Summaries of the last 7 and 30 days of each chat, and the rebuild of data that is derived from transcripts.
import { html, useState } from "../../parts/html.js";
import { Badge } from "../../parts/badge.js";
import { confirm } from "../../parts/dialogs.js";
import { Icon } from "../../parts/icon.js";
import { Empty, Loaded } from "../../parts/loaded.js";
import { dollars } from "../../parts/money.js";
import { Time } from "../../parts/time.js";
import { attempt, toast } from "../../parts/toasts.js";
import { get, post, useGet, usePages } from "../api.js";
import { Head } from "../head.js";
import { t } from "../words.js";
import { AgentChoice } from "./memories.js";
import { Rebuild } from "./summaries/rebuild.js";

const atMost = (usd) => (usd === null || usd === undefined ? t("summaries.cost_unknown") : t("summaries.cost_at_most", { usd: dollars(usd) }));

function titleOf(chat) {
  if (chat.title) return chat.title;
  if (chat.kind !== "private") return t("summaries.nameless_chat");
  return chat.is_you ? t("summaries.your_chat") : chat.name || t("summaries.private_chat");
}

function Facts({ one }) {
  if (!one.text) return html`<p class="quiet">${t("summaries.none_yet")}</p>`;
  return html`
    <p class="meta-line">
      <span>${t("summaries.made")} <${Time} at=${one.made_at} /></span>
      <span>${t("summaries.from")} <${Time} at=${one.since} style="day" /></span>
      <span>${t("summaries.of_messages", { count: one.messages })}</span>
      ${one.from_notes > 0 && html`<span>${t("summaries.of_notes", { count: one.from_notes })}</span>`}
      ${one.looked_at && html`<span>${t("summaries.looked_at")} <${Time} at=${one.looked_at} /></span>`}
    </p>
  `;
}

function Summary({ chat, one, cost, hasModel, reload }) {
  const [whole, setWhole] = useState(null);
  const showAll = () => attempt(async () => setWhole((await get(`/api/summaries/${encodeURIComponent(chat.chat)}/${one.span}`)).text));
  const again = async () => {
    const agreed = await confirm({
      title: t("summaries.again_title", { days: one.days }),
      text: `${t("summaries.again_text")} ${atMost(cost)}`,
      action: t("summaries.again"),
    });
    if (!agreed) return;
    await attempt(async () => {
      await post("/api/summaries/again", { chat: chat.chat, span: one.span });
      toast(t("summaries.asked"));
      reload();
    });
  };
  return html`
    <article class="summary">
      <div class="section-head">
        <h3>${t("summaries.span", { days: one.days })}</h3>
        ${one.is_asked ? html`<${Badge} tone="busy">${t("summaries.is_asked")}<//>` : html`<small>${t(one.is_due ? "summaries.due" : "summaries.next")} <${Time} at=${one.next_at} /></small>`}
      </div>
      <${Facts} one=${one} />
      ${one.text && html`<p class="item-text" dir="auto">${whole ?? one.text}</p>`}
      ${one.holds_outside && html`<p class="meta-line"><${Badge} tone="warn">${t("summaries.outside")}<//></p>`}
      <div class="item-acts">
        ${one.is_cut && whole === null && html`<button type="button" class="button is-quiet" onClick=${showAll}>${t("summaries.show_all")}</button>`}
        ${hasModel && html`<button type="button" class="button is-quiet" onClick=${again}>${t("summaries.again")}</button>`}
      </div>
    </article>
  `;
}

const Chat = ({ chat, costs, hasModel, reload }) => html`
  <section class="section">
    <div class="section-head">
      <h2 dir="auto"><${Icon} name=${chat.kind === "private" ? "person" : "group"} size=${18} /> ${titleOf(chat)}</h2>
      <small>${chat.agent}</small>
    </div>
    <div class="summary-pair">
      ${chat.summaries.map((one) => html`<${Summary} key=${one.span} chat=${chat} one=${one} cost=${costs[one.span]} hasModel=${hasModel} reload=${reload} />`)}
    </div>
  </section>
`;

function Summaries({ query }) {
  const chats = usePages("/api/summaries", { agent: query.agent });
  const about = chats.data;
  return html`
    <${Head} title=${t("summaries.title")} sub=${t("summaries.sub")} />
    <div class="view">
      <${AgentChoice} path="/summaries" agent=${query.agent} />
      ${about && !about.model && html`<p class="quiet">${t("summaries.no_model")}</p>`}
      <${Loaded} of=${chats} empty=${html`<${Empty} icon="calendar" text=${t("summaries.none")} />`}>
        ${(items) => items.map((chat) => html`<${Chat} key=${chat.chat} chat=${chat} costs=${about?.costs || {}} hasModel=${Boolean(about?.model)} reload=${chats.reload} />`)}
      <//>
      <${Rebuild} />
    </div>
  `;
}

export const Component = Summaries;
