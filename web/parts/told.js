// Translates phrases and codes of lull itself. `told.json` has a text for each code, and for each phrase that is stored
// in English, whose code is made of its letters. Words of a model, a person or a service are not translated.
import { t } from "./words.js";

// phrases with a name or a time in them
const NAMED = [
  [/^what the tool (?<name>\S+) found$/, "what_the_tool_found"],
  [/^there is no agent (?<name>\S+) any more$/, "there_is_no_agent_any_more"],
  [/^it was replayed at .+ already$/, "it_was_replayed_already"],
];

const codeOf = (said) => said.toLowerCase().replace(/\d+/g, "n").replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "");

function phrase(said, values) {
  const [form, named] = NAMED.find(([each]) => each.test(said)) || [];
  const id = `told.${named || codeOf(said)}`;
  const count = Number(said.match(/\d+/)?.[0]);
  const text = t(id, { count, ...form?.exec(said).groups, ...values });
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
