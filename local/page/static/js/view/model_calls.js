// What the model was asked: tokens and milliseconds; one click further, the exact prompt and the raw reply. Between
// its calls, those of tools that it asked for; and from where on it had seen words from outside.
import { html } from "../html.js";
import { change } from "../store.js";
import { duration } from "../clock.js";
import { dollars } from "../money.js";
import { Step } from "./step.js";
import { Taint, ToolUse } from "./tool_use.js";

const count = new Intl.NumberFormat();

/** What a call took; `media_tokens` are those of the prompt that are pictures, sound, films or PDFs. */
export const Numbers = ({ call }) => html`
  <dl class="numbers">
    <div><dt>in</dt><dd>${count.format(call.prompt_tokens)}</dd></div>
    ${call.media_tokens > 0 && html`<div><dt>files</dt><dd>${count.format(call.media_tokens)}</dd></div>`}
    <div><dt>cached</dt><dd>${count.format(call.cached_tokens)}</dd></div>
    <div><dt>thoughts</dt><dd>${count.format(call.thought_tokens)}</dd></div>
    <div><dt>out</dt><dd>${count.format(call.output_tokens)}</dd></div>
    <div><dt>time</dt><dd>${duration(call.ms)}</dd></div>
    ${call.cost > 0 && html`<div><dt>cost</dt><dd>${dollars(call.cost)}</dd></div>`}
  </dl>
`;

const show = (trace, number) => change({ dialog: { kind: "exchange", trace, number } });

const Call = ({ call, number }) => html`
  <li class="call">
    <p class="call-model">${call.model}</p>
    <${Numbers} call=${call} />
    ${call.problem && html`<p class="why">${call.problem}</p>`}
    ${
      call.trace &&
      html`<button type="button" class="button is-quiet" onClick=${() => show(call.trace, number)}>Prompt and reply</button>`
    }
  </li>
`;

/** A call of the model, and the calls of tools that it asked for. */
const Round = ({ call, number, uses, taint }) => html`
  <${Call} call=${call} number=${number} />
  ${uses
    .map((use, at) => ({ use, at }))
    .filter(({ use }) => use.asked_by === number)
    .map(({ use, at }) => html`<${ToolUse} key=${at} use=${use} />${taint?.after === at && html`<${Taint} taint=${taint} />`}`)}
`;

export function ModelCalls({ plan: { calls, uses, taint } }) {
  if (!calls.length) return null;
  const problems = calls.filter((call) => call.problem).length;
  const word = [calls.length, problems && `${problems} failed`, uses.length && `${uses.length} of tools`];
  return html`
    <${Step} name="Model calls" state=${problems === calls.length ? "failed" : "done"} word=${word.filter(Boolean).join(", ")}>
      <ol class="plain-list calls">
        ${taint && taint.after === null && html`<${Taint} taint=${taint} />`}
        ${calls.map((call, number) => html`<${Round} key=${number} call=${call} number=${number} uses=${uses} taint=${taint} />`)}
      </ol>
    <//>
  `;
}

/** The model gave no answer, and is asked again soon. */
export const FailedCall = ({ why }) => html`
  <${Step} name="Model calls" state="failed" word="failed, to be tried again"><p class="why">${why}</p><//>
`;
