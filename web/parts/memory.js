// Values that this browser remembers between visits. A private window may refuse to store them; the page works without.
const PREFIX = "lull.";

export function remembered(name, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** The values whose names begin with `beginning`: {rest of the name: value}. */
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
    // Storage is forbidden, so there is nothing to forget.
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: the choice lasts until the page is closed.
  }
}
