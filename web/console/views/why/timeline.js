// The events of a turn in their order: update, wake, claim, decision, prompt, calls, tools, plan, deliveries.
import { html } from "../../../parts/html.js";
import { duration, preciseTime } from "../../../parts/clock.js";
import { dollars } from "../../../parts/money.js";
import { Step } from "../../../parts/step.js";
import { secondsOf } from "../../../parts/time.js";
import { told } from "../../../parts/told.js";
import { ToolUse } from "../../../parts/tool_use.js";
import { language, t } from "../../words.js";
import { tierOf } from "../naming.js";

/** Why a tick was woken; a code without words is shown as it is. */
export function reasonOf(code) {
  const id = `why.reason_${code.replace("-", "_")}`;
  const words = t(id);
  return words === id ? code : words;
}

const TONES = { planned: "planned", attempted: "running", confirmed: "done", refused: "failed", unknown: "failed" };
export const DELIVERIES = {
  planned: "parts.delivery_planned",
  attempted: "parts.delivery_attempted",
  confirmed: "parts.delivery_confirmed",
  refused: "parts.delivery_refused",
  unknown: "parts.delivery_unknown",
};

export const number = (value) => new Intl.NumberFormat(language()).format(value);

const toSeconds = (at) => new Intl.DateTimeFormat(language(), { timeStyle: "medium" }).format(new Date(at));

/** The name of an event, with the time of the day to the second; the whole time is the title. */
const Named = ({ name, at }) => html`${name}${at && html` <time datetime=${at} title=${preciseTime(secondsOf(at))}>${toSeconds(at)}</time>`}`;

const Update = ({ event, message }) => html`
  <${Step} id="update" name=${html`<${Named} name=${t("why.update")} at=${event.at} />`} state="done">
    <p class="is-plain" dir="auto">${message?.text || message?.media}</p>
    ${!event.is_exact && html`<p>${t("why.update_old")}</p>`}
  <//>
`;

const Wake = ({ event }) => html`
  <${Step} id="wake" name=${html`<${Named} name=${t("why.wake")} at=${event.at} />`} state="done">
    <p>${reasonOf(event.reason)}</p>
    ${event.model_tries > 0 && html`<p class="why">${t("why.tried_models", { count: event.model_tries })}</p>`}
  <//>
`;

const between = (from, to) => duration(Math.max(0, secondsOf(to) - secondsOf(from)) * 1000);

const Claim = ({ event }) => html`
  <${Step} id="claim" name=${html`<${Named} name=${t("why.claim")} at=${event.at} />`} state="done">
    ${event.until && html`<p>${t("why.claim_until", { time: between(event.at, event.until) })}</p>`}
  <//>
`;

function Recall({ recall }) {
  if (!recall.is_asked) return html`<p>${t("why.recall_none", { why: told(recall.why) })}</p>`;
  const { why, found, matches, reads, ms, trouble } = recall;
  return html`<p>${t("why.recall_searched", { why: told(why), found, matches, reads, time: duration(ms) })}${trouble && ` ${told(trouble)}`}</p>`;
}

function Decision({ event, message, isOneOfMany }) {
  const [state, word] = event.tier === "wait" ? ["waiting", "why.decision_wait"] : event.responds ? ["done", "why.decision_answer"] : ["cancelled", "why.decision_silent"];
  return html`
    <${Step} id="decision" name=${html`<${Named} name=${t("why.decision")} at=${event.at} />`} state=${state} word=${t(word)}>
      <p class="is-plain">${told(event.reason)} <span class="quiet">(${t("why.tier", { tier: tierOf(event.tier) })})</span></p>
      ${isOneOfMany && html`<p dir="auto">${t("why.later_message", { name: message?.author.name })}: ${message?.text || message?.media}</p>`}
      ${event.ms > 0 && html`<p>${t("why.judge_ms", { time: duration(event.ms) })}</p>`} ${event.recall && html`<${Recall} recall=${event.recall} />`}
    <//>
  `;
}

const LAYERS = ["system", "tools", "summaries", "facts", "relevant", "recent", "immediate", "closing"];
const LAYER_NAMES = {
  system: "why.layer_system",
  tools: "why.layer_tools",
  summaries: "why.layer_summaries",
  facts: "why.layer_facts",
  relevant: "why.layer_relevant",
  recent: "why.layer_recent",
  immediate: "why.layer_immediate",
  closing: "why.layer_closing",
};

/** The estimated tokens of each layer of a prompt. */
export function Layers({ layers, perToken }) {
  const shown = LAYERS.filter((name) => layers[name] > 0);
  const most = Math.max(1, ...shown.map((name) => layers[name]));
  return html`
    <ul class="why-layers">
      ${shown.map(
        (name) => html`<li key=${name}>
          <span>${t(LAYER_NAMES[name])}</span>
          <span class="why-bar" aria-hidden="true"><i style=${{ display: "block", width: `${(100 * layers[name]) / most}%` }}></i></span>
          <span title=${t("why.chars", { count: number(layers[name]) })}>${number(Math.ceil(layers[name] / perToken))}</span>
        </li>`,
      )}
    </ul>
  `;
}

const Prompt = ({ event, onPrompt }) => html`
  <${Step} id="prompt" name=${t("why.prompt")} state="done" word=${event.format}>
    <p class="is-plain">${t("why.tokens", { count: number(event.tokens), most: number(event.max_tokens) })}</p>
    <p>${event.model} · ${t("why.messages_size", { shown: event.messages_shown, cut: event.messages_cut })}</p>
    <details><summary>${t("why.layers")}</summary><${Layers} layers=${event.layers} perToken=${event.characters_per_token} /></details>
    ${onPrompt && html`<p><button type="button" class="link" onClick=${onPrompt}>${t("why.show_prompt")}</button></p>`}
  <//>
`;

function Call({ event }) {
  const name = event.is_judge ? t("why.call_judge") : t("why.call", { number: event.number + 1 });
  return html`
    <${Step} id="call" name=${name} state=${event.problem ? "failed" : "done"} word=${t(event.problem ? "why.call_failed" : "why.call_ok")}>
      <p class="is-plain call-model">${event.model} · ${duration(event.ms)}${event.cost !== null && ` · ${dollars(event.cost)}`}</p>
      <p>
        ${t("why.tokens_in_out", { input: number(event.prompt_tokens), output: number(event.output_tokens + event.thought_tokens) })}
        ${event.cached_tokens > 0 && ` · ${t("why.cached", { count: number(event.cached_tokens) })}`}
        ${event.thought_tokens > 0 && ` · ${t("transcript.thoughts", { count: number(event.thought_tokens) })}`}
      </p>
      ${event.problem && html`<p class="why">${told(event.problem)}</p>`}
    <//>
  `;
}

const Tool = ({ event }) => html`
  <${Step} id="tool" name=${t("why.tool", { name: event.name })} state=${event.is_error ? "failed" : "done"}>
    <details open=${event.is_error}><summary>${duration(event.seconds * 1000)}</summary><ul class="calls plain-list"><${ToolUse} use=${{ ...event, ms: event.seconds * 1000 }} /></ul></details>
    ${event.outside && html`<p>${t("why.after_outside")}</p>`}
  <//>
`;

const Plan = ({ event }) => html`
  <${Step} id="plan" name=${html`<${Named} name=${t("why.plan")} at=${event.at} />`} state="done" word=${event.tasks ? t("why.plan_tasks", { count: event.tasks }) : t("why.plan_empty")}>
    ${event.replans > 0 && html`<p>${t("why.replays_before", { count: event.replans })}</p>`} ${event.replaced_by && html`<p>${t("why.plan_replaced")}</p>`}
    ${event.notes.length > 0 && html`<details><summary>${t("why.plan_notes")}</summary><ul class="notes">${event.notes.map((note) => html`<li key=${note}>${told(note)}</li>`)}</ul></details>`}
  <//>
`;

const Delivery = ({ event }) => html`
  <${Step} id="delivery" name=${html`<${Named} name=${t("why.delivery")} at=${event.at} />`} state=${TONES[event.state] || "planned"} word=${t(DELIVERIES[event.state])}>
    <p><code>${event.method}</code>${event.message_ids.length > 0 && ` ${t("why.delivered_as", { ids: event.message_ids.join(", ") })}`}</p>
    ${event.tries > 0 && html`<p>${t("why.attempts", { count: event.tries })}</p>`} ${event.why && html`<p class="why">${told(event.why)}</p>`}
  <//>
`;

const Sent = ({ event }) => html`
  <${Step} id="sent" name=${html`<${Named} name=${t("why.sent")} at=${event.at} />`} state="done"><p>${t("why.delivered_as", { ids: event.message_ids.join(", ") })}</p><//>
`;

const EVENTS = { update: Update, wake: Wake, claim: Claim, decision: Decision, prompt: Prompt, call: Call, tool: Tool, plan: Plan, delivery: Delivery, sent: Sent };

export function Timeline({ data, onPrompt }) {
  const messages = new Map([...data.asked, ...data.said].map((message) => [message.seq, message]));
  const isOneOfMany = data.asked.length > 1;
  return html`
    <ol class="steps why-steps">
      ${data.events.map((event, at) => {
        const Shown = EVENTS[event.kind];
        return html`<${Shown} key=${at} event=${event} message=${messages.get(event.seq)} isOneOfMany=${isOneOfMany} onPrompt=${onPrompt} />`;
      })}
    </ol>
  `;
}
