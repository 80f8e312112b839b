// A request of Gemini's REST API turn by turn, and its response part by part.
import { html } from "../html.js";
import { size } from "../clock.js";
import { bodyOf, partsOf, prettyBody } from "../exchange.js";

const either = (object, ...names) => names.map((name) => object?.[name]).find((value) => value !== undefined);

const json = (value) => JSON.stringify(value, null, 2);

function partWords(part) {
  if (typeof part.text === "string") return part.text;
  const blob = either(part, "inlineData", "inline_data");
  if (blob) return `${either(blob, "mimeType", "mime_type")}, about ${size((blob.data?.length || 0) * 0.75)}`;
  return json(part);
}

// Models that answer in JSON are easier to read with their lines broken.
function readable(text) {
  try {
    return json(JSON.parse(text));
  } catch {
    return text;
  }
}

const Part = ({ part, asJson }) => html`
  <pre class=${`part${part.thought ? " is-thought" : ""}`} tabindex="0">
    ${part.thought ? "(thought) " : ""}${asJson ? readable(partWords(part)) : partWords(part)}
  </pre>
`;

const Turn = ({ role, parts, asJson }) => html`
  <section class=${`turn is-${role}`}>
    <h3>${role}</h3>
    ${(parts || []).map((part) => html`<${Part} part=${part} asJson=${asJson} />`)}
  </section>
`;

const Folded = ({ name, value }) =>
  value && html`<details><summary>${name}</summary><pre class="part" tabindex="0">${json(value)}</pre></details>`;

export function Prompt({ exchange }) {
  const request = bodyOf(exchange.request);
  if (!request) return html`<pre class="part" tabindex="0">${exchange.request}</pre>`;
  const system = either(request, "systemInstruction", "system_instruction");
  return html`
    ${system && html`<${Turn} role="system" parts=${system.parts} />`}
    ${(request.contents || []).map((turn) => html`<${Turn} role=${turn.role || "user"} parts=${turn.parts} />`)}
    <${Folded} name="Tools" value=${request.tools} />
    <${Folded} name="Settings of the call" value=${either(request, "generationConfig", "generation_config")} />
  `;
}

export function Reply({ exchange }) {
  const { parts, reason } = partsOf(bodyOf(exchange.response));
  return html`
    ${
      parts.length
        ? html`<${Turn} role="model" parts=${parts} asJson />`
        : html`<pre class="part" tabindex="0">${prettyBody(exchange.response) || "Nothing came back."}</pre>`
    }
    ${reason && html`<p class="quiet">Finished: ${reason}</p>`}
    <${Folded} name="Tokens" value=${exchange.usage} />
  `;
}
