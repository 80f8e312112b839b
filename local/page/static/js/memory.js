// What this browser remembers between visits. Private windows may refuse; the page works without.
const PREFIX = "lull.";

export function remembered(name, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** What is remembered under names with this beginning: {rest of the name: value}. */
export function rememberedUnder(beginning) {
  try {
    const whole = PREFIX + beginning;
    const names = Object.keys(localStorage).filter((name) => name.startsWith(whole));
    return Object.fromEntries(names.map((name) => [name.slice(whole.length), JSON.parse(localStorage.getItem(name))]));
  } catch {
    return {};
  }
}

export function forget(name) {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // As below.
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: the choice lasts until the page is closed.
  }
}
