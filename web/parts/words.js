// The texts of a page in the reader's language. The parts' own texts are English until a page sets others.
import { english } from "./english.js";

let words = english;
let chosen; // undefined: the browser's own language, for dates and numbers

export const language = () => chosen;

/** Sets the texts, {id: text}. A plural has an object with a text for each category. Missing texts of the parts are English. */
export function setWords(tag, texts) {
  chosen = tag;
  words = { ...english, ...texts };
}

function pick(text, values) {
  if (typeof text === "string") return text;
  const category = new Intl.PluralRules(chosen).select(Number(values.count));
  return text[category] ?? text.other ?? Object.values(text).at(-1);
}

/** The text with this id; `{name}` in it becomes `values.name`, and a number is formatted as in the language. */
export function t(id, values = {}) {
  const text = words[id];
  if (text === undefined) return id;
  return pick(text, values).replace(/\{(\w+)\}/g, (whole, name) => written(values[name], whole));
}

const written = (value, otherwise) =>
  typeof value === "number" ? new Intl.NumberFormat(chosen).format(value) : String(value ?? otherwise);
