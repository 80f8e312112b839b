// Translates phrases and codes of lull itself. `told.json` has a text for each code, and for each phrase that is stored
// in English, whose code is made of its letters. Words of a model, a person or a service are not translated.
import { t } from "./words.js";

// phrases with a name, a number or a time in them
const NAMED = [
  [/^what the tool (?<name>\S+) found$/, "what_the_tool_found"],
  [/^the agent (?<name>\S+) no longer exists$/, "the_agent_no_longer_exists"],
  [/^it was replayed at .+ already$/, "it_was_replayed_already"],
  [/^it is in the inbox again; the next sweep wakes its chat, since .+$/, "it_is_in_the_inbox_again_the_next_sweep_wakes_its_chat"],
  [/^Task (?<number>\d+) was left out: a later task is the same\.$/, "task_was_left_out_a_later_task_is_the_same"],
  [/^Task (?<number>\d+) depends on a task that does not exist; that was ignored\.$/, "task_depends_on_a_task_that_does_not_exist_that_was_ignored"],
  [/^Task (?<number>\d+) depends on itself; that was ignored\.$/, "task_depends_on_itself_that_was_ignored"],
  [/^Task (?<number>\d+) \((?<kind>[^)]+)\) lost its `(?<name>[^`]+)`: (?<why>.+)\.$/, "task_lost_a_field"],
  [/^Task (?<number>\d+) was left out: its kind ?`?(?<name>.*?)`? ?is not one to use here.*$/, "task_is_of_a_kind_that_is_not_usable"],
  [/^Parts of the prompt were taken out of a text: (?<what>.+)\.$/, "parts_of_the_prompt_were_taken_out_of_a_text"],
  [/^no such sticker was found in the set (?<name>.+)$/, "no_such_sticker_was_found_in_the_set"],
  [/^Telegram could not be reached for (?<what>.+)$/, "telegram_could_not_be_reached"],
  [/^Telegram refused (?<what>.+)$/, "telegram_refused"],
  [/^Telegram failed at (?<what>.+)$/, "telegram_failed_at"],
  [/^Telegram asks to wait before (?<what>.+)$/, "telegram_asks_to_wait_before"],
  [/^Telegram's answer to (?<what>.+) was cut off .+: it may have been carried out$/, "telegram_s_answer_was_cut_off"],
  [/^nothing can be sent to this chat \((?<what>.+)\)$/, "nothing_can_be_sent_to_this_chat"],
  [/^Telegram could not deliver \((?<what>.+)\)$/, "telegram_could_not_deliver"],
  [/^there is no answer \((?<said>.*)\): the function is not deployed at the configured address, or does not start$/, "there_is_no_answer"],
  [/^it answers (?<status>\d+): another program runs at (?:that|its) address$/, "it_answers_another_program_runs_there"],
  [/^a tick took the chat and did not finish within (?<number>\d+) s: .+$/, "a_tick_took_the_chat_and_did_not_finish"],
  [/^no tick came within (?<number>\d+) s: .+$/, "no_tick_came"],
  [/^it stands, (?<number>\d+) updates wait$/, "it_stands_updates_wait"],
  [/^(?<why>.+), (?<number>\d+) updates wait: it was set again, with its secret$/, "it_was_set_again"],
  [/^(?<name>\S+) did not answer \((?<what>\w+)\)$/, "did_not_answer"],
];

const codeOf = (said) => said.toLowerCase().replace(/\d+/g, "n").replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "");

function phrase(said, values) {
  const [form, named] = NAMED.find(([each]) => each.test(said)) || [];
  const code = named || codeOf(said);
  if (!named && NAMED.some(([, each]) => each === code)) return null; // only the beginning of such a phrase
  const id = `told.${code}`;
  const count = Number(said.match(/\d+/)?.[0]);
  const found = Object.entries(form?.exec(said).groups || {}).map(([name, value]) => [name, name === "why" ? told(value) : value || "?"]);
  const text = t(id, { count, ...Object.fromEntries(found), ...values });
  return text === id ? null : text;
}

/**
 * The text for a code or a phrase; several phrases may be joined by ": ", "; " or ", ". An unknown phrase is kept, and
 * for an unknown code there is `otherwise`.
 */
export function told(said, values = {}, otherwise = said) {
  if (!said) return "";
  const whole = phrase(said, values);
  if (whole !== null) return whole;
  return otherwise
    .split(/(: |; |, (?!too\b))/)
    .map((part) => phrase(part, values) ?? part)
    .join("");
}

/** The name of a kind of task. */
export const kindOf = (kind) => told(`task_${kind}`, {}, kind);
