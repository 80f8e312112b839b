// Completions while typing. The up and down keys choose, Enter or Tab inserts, Escape closes the list.
import { html, useState } from "./html.js";

const intoView = (node) => node?.scrollIntoView({ block: "nearest" });

/** The id of an option of the list `id`, for `aria-activedescendant`. */
const optionId = (id, number) => `${id}-${number}`;

const Completion = ({ id, chosen, onTake, children }) => html`
  <li role="option" id=${id} aria-selected=${chosen} ref=${chosen ? intoView : null} onPointerDown=${(event) => event.preventDefault()} onClick=${onTake}>${children}</li>
`;

/** The match of `pattern` before the cursor, {sign, word, start, end}, or null. The last group of `pattern` is the word. */
function beforeCursor(pattern, field, text) {
  const end = field?.selectionStart ?? text.length;
  const match = pattern.exec(text.slice(0, end));
  if (!match) return null;
  const word = match.at(-1);
  return { sign: match.slice(1, -1).find(Boolean), word: word.toLowerCase(), start: end - word.length - 1, end };
}

/**
 * {list, onKeyDown, active}: the list to show, a handler that returns whether a key was meant for the list, and the
 * attributes of the field. `offers` are the completions by sign: [{key, insert, label, about}]; `pattern` has a group
 * for each sign, and a last one for the word behind it; `show` returns the content of an option.
 */
export function useCompletions({ id, offers, pattern, field, text, setText, label, show }) {
  const [at, setAt] = useState(0);
  const [left, setLeft] = useState(null); // the text for which the list was closed
  const typed = text === left ? null : beforeCursor(pattern, field.current, text);
  const fits = (offer) => `${offer.label} ${offer.about}`.toLowerCase().includes(typed.word);
  const found = typed ? (offers[typed.sign] || []).filter(fits) : [];
  const chosen = Math.min(at, found.length - 1);
  const take = (offer) => {
    const next = text.slice(0, typed.start) + offer.insert + text.slice(typed.end);
    setText(next);
    setLeft(next);
    setAt(0);
    field.current.focus();
  };
  const keys = {
    ArrowDown: () => setAt((chosen + 1) % found.length),
    ArrowUp: () => setAt((chosen - 1 + found.length) % found.length),
    Enter: () => take(found[chosen]),
    Tab: () => take(found[chosen]),
    Escape: () => setLeft(text),
  };
  // if a completion is typed already, Enter sends the message
  const isWhole = typed && found.some(({ insert }) => insert.trim().toLowerCase() === `${typed.sign}${typed.word}`);
  const onKeyDown = (event) => {
    if (event.key === "Enter" && isWhole) return false;
    if (!found.length || !keys[event.key] || event.shiftKey) return false;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
    return true;
  };
  const list =
    found.length > 0 &&
    html`<ul class="offers" role="listbox" id=${id} aria-label=${label}>
      ${found.map((offer, number) => html`<${Completion} key=${offer.key} id=${optionId(id, number)} chosen=${number === chosen} onTake=${() => take(offer)}>${show(offer)}<//>`)}
    </ul>`;
  const active = found.length ? { "aria-controls": id, "aria-activedescendant": optionId(id, chosen) } : {};
  return { list, onKeyDown, active };
}
