// The events of a turn, one per line, on a common time axis; and each event as the JSON that the function sent.
import { html } from "../../../parts/html.js";
import { duration } from "../../../parts/clock.js";
import { IconButton } from "../../../parts/icon.js";
import { dollars } from "../../../parts/money.js";
import { usePage } from "../../../parts/page.js";
import { secondsOf } from "../../../parts/time.js";
import { told } from "../../../parts/told.js";
import { t } from "../../words.js";
import { DELIVERIES, number, reasonOf } from "./timeline.js";

function nameOf(event) {
  if (event.kind === "call") return event.is_judge ? t("why.call_judge") : t("why.call", { number: event.number + 1 });
  return event.kind === "tool" ? t("why.tool", { name: event.name }) : t(`why.${event.kind}`);
}

const SHORT = {
  update: (event, messages) => messages.get(event.seq)?.text || messages.get(event.seq)?.media || "",
  wake: (event) => reasonOf(event.reason),
  decision: (event) => told(event.reason),
  prompt: (event) => `${event.format} · ${t("why.tokens", { count: number(event.tokens), most: number(event.max_tokens) })}`,
  call: (event) => [event.model, event.cost !== null && dollars(event.cost), told(event.problem)].filter(Boolean).join(" · "),
  tool: (event) => event.arguments,
  plan: (event) => (event.tasks ? t("why.plan_tasks", { count: event.tasks }) : t("why.plan_empty")),
  delivery: (event) => [t(DELIVERIES[event.state]), told(event.why)].filter(Boolean).join(": "),
};

const lengthOf = (event) => (event.kind === "call" ? event.ms / 1000 : event.kind === "tool" ? event.seconds : 0);
const isFailed = (event) => Boolean(event.problem) || event.is_error === true || event.state === "refused" || event.state === "unknown";

/** The events with the seconds at which each began and ended: [{event, from, to}]. A call has no time of its own: it
 * follows what came before it. */
export function placed(events) {
  const first = events.find((event) => event.at);
  const zero = first ? secondsOf(first.at) : 0;
  let now = 0;
  return events.map((event) => {
    const from = event.at ? Math.max(0, secondsOf(event.at) - zero) : now;
    const to = event.kind === "claim" && event.until ? Math.max(from, secondsOf(event.until) - zero) : from + lengthOf(event);
    now = event.kind === "claim" ? from : to;
    return { event, from, to };
  });
}

export function Compact({ data }) {
  const messages = new Map([...data.asked, ...data.said].map((message) => [message.seq, message]));
  const rows = placed(data.events);
  const end = Math.max(0.001, ...rows.map((row) => row.to));
  return html`
    <p class="quiet">${t("events.hint")}</p>
    <ol class="why-rows">
      ${rows.map(
        ({ event, from, to }, at) => html`<li key=${at} class=${isFailed(event) ? "is-bad" : ""} data-row=${event.kind}>
          <b>${nameOf(event)}</b>
          <span class="why-short" dir="auto">${SHORT[event.kind]?.(event, messages) || ""}</span>
          <span class="why-axis" aria-hidden="true"><i style=${{ left: `${(100 * from) / end}%`, width: `${(100 * (to - from)) / end}%` }}></i></span>
          <span class="number">+${duration(from * 1000)}${to > from ? html` <small>${duration((to - from) * 1000)}</small>` : ""}</span>
        </li>`,
      )}
    </ol>
  `;
}

export function EventsJson({ data }) {
  const { copy } = usePage();
  return html`
    <p class="item-acts"><${IconButton} icon="copy" label=${t("events.copy")} onClick=${() => copy(JSON.stringify(data.events, null, 2))} /></p>
    <ol class="why-json">
      ${data.events.map((event, at) => html`<li key=${at}><h3>${nameOf(event)}</h3><pre tabindex="0" aria-label=${nameOf(event)}>${JSON.stringify(event, null, 2)}</pre></li>`)}
    </ol>
  `;
}
