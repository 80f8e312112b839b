// The exact prompt that was sent to the model, and its raw reply.
import { html, useEffect, useState } from "../html.js";
import { inspect } from "../world.js";
import { copy } from "../actions.js";
import { isSearch, placeOf, prettyBody } from "../exchange.js";
import { duration } from "../clock.js";
import { Dialog } from "./dialog.js";
import { Prompt, Reply } from "./exchange_turns.js";

const FORGOTTEN = "The model server of this machine no longer has this plan's requests. It keeps only the newest few hundred.";

const facts = ({ model, method, status, ms }) => [model, method, status, duration(ms || 0)].join(" · ");

const Raw = ({ exchange }) => html`
  ${["request", "response"].map(
    (part) => html`
      <section key=${part}>
        <h3 class="raw-head">
          ${part === "request" ? "Request" : "Response"}
          <button type="button" class="link" onClick=${() => copy(prettyBody(exchange[part]))}>Copy</button>
        </h3>
        <pre class="raw" tabindex="0">${prettyBody(exchange[part])}</pre>
      </section>
    `,
  )}
`;

const VIEWS = [
  ["Prompt", Prompt],
  ["Reply", Reply],
  ["Raw JSON", Raw],
];

function Views({ exchange }) {
  const [view, setView] = useState("Prompt");
  const Shown = VIEWS.find(([name]) => name === view)[1];
  return html`
    <div class="tabs" role="tablist" aria-label="Views">
      ${VIEWS.map(
        ([name]) => html`
          <button type="button" key=${name} role="tab" aria-selected=${name === view} onClick=${() => setView(name)}>${name}</button>
        `,
      )}
    </div>
    <div class="exchange" role="tabpanel" aria-label=${view}><${Shown} exchange=${exchange} /></div>
  `;
}

export function ExchangeDialog({ trace, number }) {
  const [answer, setAnswer] = useState({});
  const [picked, setPicked] = useState(null);
  useEffect(() => {
    inspect.exchanges(trace).then(setAnswer, (problem) => setAnswer({ problem: problem.message }));
  }, [trace]);
  const { exchanges, problem } = answer;
  const at = picked ?? placeOf(exchanges || [], number);
  const exchange = exchanges && exchanges[at];
  return html`
    <${Dialog} title="Prompt and reply" wide>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${exchanges?.length === 0 && html`<p class="hint">${FORGOTTEN}</p>`}
      ${
        exchanges?.length > 1 &&
        html`<label class="agent-choice">Call
        <select value=${at} onChange=${(event) => setPicked(Number(event.target.value))}>
          ${exchanges.map(
            (each, index) =>
              html`<option value=${index}>${index + 1} of ${exchanges.length}${isSearch(each) ? ", a search" : ""}</option>`,
          )}
        </select>
      </label>`
      }
      ${exchange && html`<p class="quiet">${facts(exchange)}</p><${Views} key=${at} exchange=${exchange} />`}
    <//>
  `;
}
