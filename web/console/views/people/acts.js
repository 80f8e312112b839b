// What buttons about people do: ask where something is lost, send an order, and look again once it is carried out.
import { confirm } from "../../../parts/dialogs.js";
import { attempt, toast } from "../../../parts/toasts.js";
import { post } from "../../api.js";
import { t } from "../../words.js";

// a tick carries an order out a moment later
const LOOKS_MS = [1_500, 4_000, 9_000];

/** Calls `again` some times, until a tick has surely carried an order out. */
export function lookAgain(again) {
  for (const pause of LOOKS_MS) setTimeout(again, pause);
}

/**
 * Sends an order. `ask`: {title, text, lost, action} asks before; `done` is the note after it; `after` reads again
 * what is shown.
 */
export async function act(path, body, { title, text, lost, action, done = t("people.ordered"), after } = {}) {
  if (title && !(await confirm({ title, text, lost, action }))) return false;
  const answer = await attempt(() => post(path, body));
  if (!answer) return false;
  toast(done);
  if (after) lookAgain(after);
  return true;
}
