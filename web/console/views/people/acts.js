// The actions of buttons about people: confirm if something is lost, send an order, and reload once it is carried out.
import { confirm } from "../../../parts/dialogs.js";
import { attempt, toast } from "../../../parts/toasts.js";
import { post } from "../../api.js";
import { t } from "../../words.js";

// a tick carries an order out a moment later
const LOOKS_MS = [1_500, 4_000, 9_000];

/** Calls `again` several times, the last time when a tick has surely carried out the order. */
export function lookAgain(again) {
  for (const pause of LOOKS_MS) setTimeout(again, pause);
}

/**
 * Sends an order. {title, text, lost, action} are for the question before it, if there is one; `done` is the toast after
 * it; `after` reloads what is shown.
 */
export async function act(path, body, { title, text, lost, action, done = t("people.ordered"), after } = {}) {
  if (title && !(await confirm({ title, text, lost, action }))) return false;
  const answer = await attempt(() => post(path, body));
  if (!answer) return false;
  toast(done);
  if (after) lookAgain(after);
  return true;
}
