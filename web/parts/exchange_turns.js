// Shows a request to a model turn by turn, and its response part by part.
import { html } from "./html.js";
import { safeHref } from "./entities.js";
import { bodyOf, partsOf, prettyBody } from "./exchange.js";
import { requestOf } from "./openai_exchange.js";
import { FilePart, fileIn } from "./exchange_files.js";
import { Fields } from "./fields.js";
import { t } from "./words.js";

const either = (object, ...names) => names.map((name) => object?.[name]).find((value) => value !== undefined);

const json = (value) => JSON.stringify(value, null, 2);

function partWords(part) {
  if (typeof part.text === "string") return part.text;
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

/** A call of a function, or the function's result: its name and its fields. */
const FunctionPart = ({ said, name, value, failed }) => html`
  <section class=${`part is-function${failed ? " is-failure" : ""}`}>
    <h4>${said} <bdi class="tool-name">${name}</bdi></h4>
    <${Fields} value=${value} />
  </section>
`;

// lull's results have a single field, "output" or "error"
const answerIn = (response) => {
  const fields = Object.keys(response || {});
  return fields.length === 1 && ["output", "error", "result"].includes(fields[0]) ? response[fields[0]] : response || {};
};

function Part({ part, asJson }) {
  const file = fileIn(part);
  if (file) return html`<${FilePart} file=${file} />`;
  const call = either(part, "functionCall", "function_call");
  if (call) return html`<${FunctionPart} said=${t("parts.calls")} name=${call.name} value=${call.args || {}} />`;
  const answer = either(part, "functionResponse", "function_response");
  if (!answer) return html`<${TextPart} part=${part} asJson=${asJson} />`;
  const failed = answer.response?.error !== undefined;
  return html`
    <${FunctionPart} said=${failed ? t("parts.function_failed") : t("parts.came_back_from")} name=${answer.name} value=${answerIn(answer.response)} failed=${failed} />
  `;
}

const TextPart = ({ part, asJson }) => html`
  <pre class=${`part${part.thought ? " is-thought" : ""}`} tabindex="0">
    ${part.thought ? t("parts.thought") : ""}${asJson ? readable(partWords(part)) : partWords(part)}
  </pre>
`;

const Turn = ({ role, parts, asJson }) => html`
  <section class=${`turn is-${role}`}>
    <h3>${role}</h3>
    ${(parts || []).map((part) => html`<${Part} part=${part} asJson=${asJson} />`)}
  </section>
`;

const Page = ({ page }) => {
  const href = safeHref(page.uri);
  const name = page.title || page.uri;
  return href ? html`<a href=${href} target="_blank" rel="noopener noreferrer">${name}</a>` : name;
};

/** Google's searches for the answer, and the pages that were found. Their addresses are redirects at Google. */
const Grounding = ({ grounding: { queries, pages } }) => html`
  <section class="part is-function" data-testid="grounding">
    <h4>${t("parts.searched_google")}</h4>
    ${queries.length > 0 && html`<ul class="notes">${queries.map((query) => html`<li dir="auto">${query}</li>`)}</ul>`}
    ${pages.length > 0 && html`<h4>${t("parts.found")}</h4><ul class="notes">${pages.map((page) => html`<li dir="auto"><${Page} page=${page} /></li>`)}</ul>`}
  </section>
`;

const toolNames = (tools) =>
  tools.flatMap((tool) => {
    const declared = either(tool, "functionDeclarations", "function_declarations");
    return declared ? declared.map((each) => each.name) : Object.keys(tool);
  });

const Folded = ({ name, value }) =>
  value && html`<details><summary>${name}</summary><pre class="part" tabindex="0">${json(value)}</pre></details>`;

export function Prompt({ exchange }) {
  const request = requestOf(bodyOf(exchange.request));
  if (!request) return html`<pre class="part" tabindex="0">${exchange.request}</pre>`;
  const system = either(request, "systemInstruction", "system_instruction");
  return html`
    ${system && html`<${Turn} role="system" parts=${system.parts} />`}
    ${(request.contents || []).map((turn) => html`<${Turn} role=${turn.role || "user"} parts=${turn.parts} />`)}
    <${Folded} name=${t("parts.tools", { names: toolNames(request.tools || []).join(", ") })} value=${request.tools} />
    <${Folded} name=${t("parts.call_settings")} value=${either(request, "generationConfig", "generation_config")} />
  `;
}

export function Reply({ exchange }) {
  const { parts, reason, grounding } = partsOf(bodyOf(exchange.response));
  return html`
    ${
      parts.length
        ? html`<${Turn} role="model" parts=${parts} asJson />`
        : html`<pre class="part" tabindex="0">${prettyBody(exchange.response) || t("parts.nothing_came")}</pre>`
    }
    ${grounding && html`<${Grounding} grounding=${grounding} />`}
    ${reason && html`<p class="quiet">${t("parts.finished", { reason })}</p>`}
    <${Folded} name=${t("parts.tokens")} value=${exchange.usage} />
  `;
}
