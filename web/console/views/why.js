// Why a message was answered, or why the agent kept silent: everything that lull recorded, in its order.
import { html, useState } from "../../parts/html.js";
import { Badge } from "../../parts/badge.js";
import { duration } from "../../parts/clock.js";
import { Icon } from "../../parts/icon.js";
import { Empty, Loaded } from "../../parts/loaded.js";
import { remember, remembered } from "../../parts/memory.js";
import { dollars } from "../../parts/money.js";
import { PlanGraph } from "../../parts/plan_graph.js";
import { Tabs } from "../../parts/tabs.js";
import { Time, secondsOf } from "../../parts/time.js";
import { kindOf, told } from "../../parts/told.js";
import { useGet } from "../api.js";
import { Head } from "../head.js";
import { Link, withQuery } from "../route.js";
import { t } from "../words.js";
import { Compact, EventsJson } from "./why/compact.js";
import { ShownPrompt } from "./why/prompt.js";
import { openReplay } from "./why/replay.js";
import { Timeline } from "./why/timeline.js";

const Said = ({ message }) => html`
  <li>
    <div class="item-top">
      <b class="item-name" dir="auto">${message.author.name}</b>
      ${message.outside.length > 0 && html`<${Badge} tone="warn" title=${message.outside.map((each) => told(each)).join("; ")}><${Icon} name="outside" size=${12} /> ${t("why.from_outside")}<//>`}
      <${Time} at=${message.at} style="when" />
    </div>
    <p class="item-text" dir="auto">${message.text || message.media}</p>
  </li>
`;

/** A link to the logs of exactly this turn. On a local machine the logs are files, so the trace to look for is shown. */
const Logs = ({ data }) =>
  data.trace &&
  html`<p class="meta-line">
    ${data.logs && html`<a class="link" href=${data.logs} target="_blank" rel="noopener noreferrer">${t("trouble.logs")}</a>`}
    <span>${t("why.trace")}: <code>${data.trace}</code></span>
    ${data.is_local && html`<span>${t("events.logs_local")}</span>`}
  </p>`;

const Verdict = ({ data }) => html`
  <section class="section">
    <div class="why-verdict">
      <${Badge} tone=${data.is_answered ? "good" : "calm"}>${t(data.is_answered ? "why.answered" : "why.silent")}<//>
      <span>${told(data.events.findLast((event) => event.kind === "decision")?.reason ?? "")}</span>
    </div>
    <dl class="figures">
      <div><dt>${t("why.cost")}</dt><dd>${data.cost === null ? "–" : dollars(data.cost)}</dd></div>
      <div><dt>${t("why.model_time")}</dt><dd>${duration(data.model_ms)}</dd></div>
    </dl>
    <${Logs} data=${data} />
  </section>
`;

const Outside = ({ outside }) => html`
  <section class="section">
    <h2><${Icon} name="outside" size=${18} /> ${t("why.from_outside")}</h2>
    ${outside.in_prompt.length > 0 && html`<p>${t("why.outside_in_prompt", { what: outside.in_prompt.map((each) => told(each)).join("; ") })}</p>`}
    ${outside.by_tools.length > 0 && html`<p>${t("why.outside_by_tools", { what: outside.by_tools.map((each) => told(each)).join("; ") })}</p>`}
    <p class="quiet">
      ${outside.waiting.length ? t("why.waits_for_tap", { kinds: outside.waiting.map((kind) => kindOf(kind.replaceAll("`", ""))).join(", ") }) : t("why.nothing_waits")}
      ${outside.marked.length > 0 && ` ${t("why.marked", { count: outside.marked.length })}`}
    </p>
  </section>
`;

// the graph takes times as seconds
const drawn = (task) => ({ ...task, not_before: task.not_before ? secondsOf(task.not_before) : null });

const MODES = ["steps", "compact", "json"];

/** The events in one of three forms: as steps, as lines, or as JSON. */
function Events({ data, onPrompt }) {
  const [mode, setMode] = useState(() => remembered("console.why", MODES[0]));
  const choose = (next) => {
    remember("console.why", next);
    setMode(next);
  };
  const shown = { steps: html`<${Timeline} data=${data} onPrompt=${onPrompt} />`, compact: html`<${Compact} data=${data} />`, json: html`<${EventsJson} data=${data} />` };
  return html`<${Tabs} label=${t("events.shape")} tabs=${MODES.map((id) => ({ id, title: t(`events.shape_${id}`) }))} chosen=${mode} onChoose=${choose}>${shown[mode] || shown.steps}<//>`;
}

function History({ data, path }) {
  const [isPromptOpen, openPrompt] = useState(false);
  const replay = () => openReplay({ path, plan: data.plan, said: data.said });
  const canReplay = data.asked.length > 0 && !data.subject.is_command;
  return html`
    <${Verdict} data=${data} />
    <section class="section">
      <h2>${t("why.what_was_said")}</h2>
      <ul class="items why-said">${[...data.asked, ...data.said].map((message) => html`<${Said} key=${message.seq} message=${message} />`)}</ul>
    </section>
    <section class="section">
      <div class="section-head">
        <h2>${t("why.why")}</h2>
        ${canReplay && html`<button type="button" class="button is-quiet" onClick=${replay}><${Icon} name="refresh" size=${16} /> ${t("why.replay_button")}</button>`}
      </div>
      <${Events} data=${data} onPrompt=${canReplay ? () => openPrompt(true) : null} />
      ${
        canReplay &&
        html`<p><button type="button" class="link" aria-expanded=${isPromptOpen} onClick=${() => openPrompt(!isPromptOpen)}>${t(isPromptOpen ? "why.hide_prompt" : "why.show_prompt")}</button></p>`
      }
    </section>
    ${isPromptOpen && html`<${ShownPrompt} path=${path} agent=${data.agent} recorded=${data.events.find((event) => event.kind === "prompt")} />`} ${data.outside && html`<${Outside} outside=${data.outside} />`}
    ${
      data.plan?.tasks.length > 0 &&
      html`<section class="section">
        <h2>${t("why.plan")}</h2>
        <${PlanGraph} tasks=${data.plan.tasks.map(drawn)} />
      </section>`
    }
  `;
}

/** The history of a conversation's entry `seq`. */
export function Why({ conversation, seq }) {
  const path = `/api/conversations/${encodeURIComponent(conversation)}/turns/${seq}`;
  const back = withQuery(`/conversations/${encodeURIComponent(conversation)}`, { seq: String(seq) });
  const turn = useGet(path);
  const about = turn.data && [turn.data.chat_title, turn.data.title].filter(Boolean).join(" · ");
  return html`
    <${Head} title=${t("why.why")} sub=${about} back=${back} />
    <div class="view">
      <${Loaded} of=${turn}>${(data) => html`<${History} data=${data} path=${path} />`}<//>
      <p><${Link} to=${back} class="link">${t("why.to_conversation")}<//></p>
    </div>
  `;
}

// "/conversations/<id>/why/<seq>"; without a message there is nothing to show
export function Component({ rest }) {
  const [conversation, , seq] = rest;
  if (conversation && seq) return html`<${Why} key=${`${conversation} ${seq}`} conversation=${conversation} seq=${seq} />`;
  return html`
    <${Head} title=${t("why.why")} />
    <div class="view"><${Empty} icon="question" text=${t("why.cannot_choose")} /></div>
  `;
}
