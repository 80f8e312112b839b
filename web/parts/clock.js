// Dates, durations and sizes as people write them, in the page's language. Dates are given in seconds since 1970.
import { language, t } from "./words.js";

const STYLES = {
  time: { hour: "2-digit", minute: "2-digit" },
  dayAndMonth: { day: "numeric", month: "long" },
  fullDay: { day: "numeric", month: "long", year: "numeric" },
  shortDay: { day: "numeric", month: "short" },
  weekday: { weekday: "short" },
  precise: { dateStyle: "full", timeStyle: "medium" },
};
const formats = new Map(); // by language and style: making one takes longer than using it

function written(style, date) {
  const key = `${language()} ${style}`;
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(language(), STYLES[style]));
  return formats.get(key).format(date);
}

const DAY_MS = 86_400_000;
const at = (seconds) => new Date(seconds * 1000);
const midnight = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
const daysAgo = (seconds) => Math.round((midnight(new Date()) - midnight(at(seconds))) / DAY_MS);

export const timeOf = (seconds) => written("time", at(seconds));
export const preciseTime = (seconds) => written("precise", at(seconds));
export const sameDay = (a, b) => midnight(at(a)) === midnight(at(b));

export function dayOf(seconds) {
  const ago = daysAgo(seconds);
  if (ago === 0) return t("parts.today");
  if (ago === 1) return t("parts.yesterday");
  return written(at(seconds).getFullYear() === new Date().getFullYear() ? "dayAndMonth" : "fullDay", at(seconds));
}

/** A date, short enough for a row of the chat list. */
export function whenOf(seconds) {
  const ago = daysAgo(seconds);
  if (ago === 0) return timeOf(seconds);
  return written(ago < 7 ? "weekday" : "shortDay", at(seconds));
}

const digits = (value, places) => new Intl.NumberFormat(language(), { minimumFractionDigits: places, maximumFractionDigits: places }).format(value);

const HOUR_MS = 3_600_000;

/** 850 → "850 ms", 12400 → "12.4 s", 300000 → "5 min", 7200000 → "2 h"; days from two on, as the language writes them. */
export function duration(ms) {
  if (ms < 1000) return `${digits(ms, 0)} ms`;
  if (ms < 90_000) return `${digits(ms / 1000, 1)} s`;
  if (ms < 1.5 * HOUR_MS) return `${digits(ms / 60_000, 0)} min`;
  if (ms < 2 * DAY_MS) return `${digits(ms / HOUR_MS, 0)} h`;
  return new Intl.NumberFormat(language(), { style: "unit", unit: "day", unitDisplay: "long", maximumFractionDigits: 0 }).format(ms / DAY_MS);
}

/** 63.4 → "1:03". */
export function clockTime(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** 1100000000 → "1.1 GB". */
export function size(bytes) {
  const units = ["B", "kB", "MB", "GB"];
  let unit = 0;
  while (bytes >= 1000 && unit < units.length - 1) {
    bytes /= 1000;
    unit += 1;
  }
  return `${digits(bytes, unit > 1 ? 1 : 0)} ${units[unit]}`;
}
