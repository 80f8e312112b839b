// A value that components follow: `get()`, `set(next)` or `set((before) => next)`, `use()` in a component, and
// `listen(heard)`, which returns a function that stops listening.
import { useLayoutEffect, useReducer } from "./html.js";

export function observable(first) {
  let value = first;
  const listeners = new Set();
  const get = () => value;
  function set(next) {
    const changed = typeof next === "function" ? next(value) : next;
    if (Object.is(changed, value)) return;
    value = changed;
    for (const heard of [...listeners]) heard(value);
  }
  function listen(heard) {
    listeners.add(heard);
    return () => listeners.delete(heard);
  }
  function use() {
    const [, again] = useReducer((count) => count + 1, 0);
    const shown = value;
    useLayoutEffect(() => {
      if (!Object.is(shown, value)) again();
      return listen(again);
    }, []);
    return shown;
  }
  return { get, set, use, listen };
}
