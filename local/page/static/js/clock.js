// Dates, durations and sizes as people write them. Dates are given in seconds since 1970.
const time = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit" });
const dayAndMonth = new Intl.DateTimeFormat([], { day: "numeric", month: "long" });
const fullDay = new Intl.DateTimeFormat([], { day: "numeric", month: "long", year: "numeric" });
const shortDay = new Intl.DateTimeFormat([], { day: "numeric", month: "short" });
const weekday = new Intl.DateTimeFormat([], { weekday: "short" });
const precise = new Intl.DateTimeFormat([], { dateStyle: "full", timeStyle: "medium" });

const DAY_MS = 86_400_000;
const at = (seconds) => new Date(seconds * 1000);
const midnight = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
const daysAgo = (seconds) => Math.round((midnight(new Date()) - midnight(at(seconds))) / DAY_MS);

export const timeOf = (seconds) => time.format(at(seconds));
export const preciseTime = (seconds) => precise.format(at(seconds));
export const sameDay = (a, b) => midnight(at(a)) === midnight(at(b));

export function dayOf(seconds) {
  const ago = daysAgo(seconds);
  if (ago === 0) return "Today";
  if (ago === 1) return "Yesterday";
  return (at(seconds).getFullYear() === new Date().getFullYear() ? dayAndMonth : fullDay).format(at(seconds));
}

/** A date, short enough for a row of the chat list. */
export function whenOf(seconds) {
  const ago = daysAgo(seconds);
  if (ago === 0) return timeOf(seconds);
  return ago < 7 ? weekday.format(at(seconds)) : shortDay.format(at(seconds));
}

/** 850 → "850 ms", 12400 → "12.4 s", 300000 → "5 min". */
export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 90_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
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
  return `${bytes.toFixed(unit > 1 ? 1 : 0)} ${units[unit]}`;
}
