// The exact prompt that was sent to the model, and its raw reply.
import { html, useEffect, useState } from "/web/parts/html.js";
import { inspect } from "../world.js";
import { isSearch, placeOf } from "/web/parts/exchange.js";
import { duration } from "/web/parts/clock.js";
import { Dialog } from "./dialog.js";
import { ExchangeView } from "/web/parts/exchange_view.js";

const FORGOTTEN = "The model server of this machine no longer has this plan's requests. It keeps only the newest few hundred.";

const facts = ({ model, method, status, ms }) => [model, method, status, duration(ms || 0)].join(" · ");

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
      ${exchange && html`<p class="quiet">${facts(exchange)}</p><${ExchangeView} key=${at} exchange=${exchange} />`}
    <//>
  `;
}
