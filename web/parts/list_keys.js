// Arrow keys in a list: up and down go to the row before and after, Home and End to the first and the last. Rows have
// `data-row`.

/** The handler of the list's key presses. */
export function onListKeys(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, textarea, select")) return;
  const rows = [...event.currentTarget.querySelectorAll("[data-row]")];
  const at = rows.indexOf(event.target.closest("[data-row]"));
  const to = { ArrowDown: Math.min(at + 1, rows.length - 1), ArrowUp: Math.max(at - 1, 0), Home: 0, End: rows.length - 1 }[event.key];
  if (to === undefined || !rows.length) return;
  event.preventDefault();
  rows[to].focus();
}
