// Times as the console shows them: relative, with the whole time as title. A time is an ISO string, or seconds since
// 1970.
import { html } from "./html.js";
import { preciseTime, timeOf, whenOf, dayOf } from "./clock.js";
import { observable } from "./observable.js";
import { language } from "./words.js";

export const secondsOf = (at) => (typeof at === "number" ? at : Date.parse(at) / 1000);

const STEPS = [
  [60, "second", 1],
  [3600, "minute", 60],
  [86_400, "hour", 3600],
  [7 * 86_400, "day", 86_400],
  [60 * 86_400, "week", 7 * 86_400],
  [365 * 86_400, "month", 30 * 86_400],
  [Infinity, "year", 365 * 86_400],
];
const JUST_NOW_S = 45;

/** "2 min. ago", "yesterday", "in 3 days". */
export function relativeTime(at, now = Date.now() / 1000) {
  const seconds = secondsOf(at) - now;
  const size = Math.abs(seconds);
  const [, unit, length] = STEPS.find(([most]) => size < most);
  const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto", style: "short" });
  return format.format(size < JUST_NOW_S ? 0 : Math.trunc(seconds / length), unit);
}

const minute = observable(0);
setInterval(() => document.visibilityState === "visible" && minute.set((count) => count + 1), 30_000);

const isoOf = (at) => new Date(secondsOf(at) * 1000).toISOString();

/** `style`: relative | time (of the day) | when (short, for a row) | day | precise. Nothing if there is no time. */
export function Time({ at, style = "relative" }) {
  minute.use();
  if (!at || Number.isNaN(secondsOf(at))) return null;
  const seconds = secondsOf(at);
  const written = { relative: relativeTime, time: timeOf, when: whenOf, day: dayOf, precise: preciseTime }[style];
  return html`<time datetime=${isoOf(at)} title=${preciseTime(seconds)}>${written(seconds)}</time>`;
}
