// The calls of the model with their tokens and milliseconds; a click opens the exact prompt and the raw reply. Between
// them are the calls of tools that the model requested, and a line where the model first saw text from outside.
import { html } from "/web/parts/html.js";
import { change } from "../store.js";
import { duration } from "/web/parts/clock.js";
import { dollars } from "/web/parts/money.js";
import { Step } from "/web/parts/step.js";
import { Taint, ToolUse } from "/web/parts/tool_use.js";

const count = new Intl.NumberFormat();

/** The tokens and the time of a call. `media_tokens` are the prompt's tokens for pictures, sound, films and PDFs. */
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

/** A call of the model, and the calls of tools that the model requested in it. */
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

/** Shown if the model gave no answer and will be asked again soon. */
export const FailedCall = ({ why }) => html`
  <${Step} name="Model calls" state="failed" word="failed, will be tried again"><p class="why">${why}</p><//>
`;
