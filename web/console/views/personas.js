// Personas: what each agent is made of, and its finished system instruction.
import { html } from "../../parts/html.js";
import { Badge } from "../../parts/badge.js";
import { Expandable } from "../../parts/fields.js";
import { Select } from "../../parts/form.js";
import { IconButton } from "../../parts/icon.js";
import { Empty, Loaded } from "../../parts/loaded.js";
import { usePage } from "../../parts/page.js";
import { kindOf, told } from "../../parts/told.js";
import { useGet } from "../api.js";
import { Head } from "../head.js";
import { Link, go, withQuery } from "../route.js";
import { t } from "../words.js";

const ADDRESS = "/personas";

const Mistake = ({ text }) => html`<p class="problem" role="alert">${t("personas.broken")} <code>${text}</code></p>`;

const Agent = ({ one }) => html`
  <li>
    <${Link} class="row-link" to=${`${ADDRESS}/${encodeURIComponent(one.agent)}`}>
      <span class="item-top"><span class="item-name" dir="auto">${one.name}</span>${one.problem ? html`<${Badge} tone="bad">${t("personas.mistake")}<//>` : html`<small>@${one.username}</small>`}</span>
      <span class="meta-line"><code>agents/${one.agent}</code></span>
    <//>
  </li>
`;

function List() {
  const agents = useGet("/api/personas");
  return html`
    <${Head} title=${t("personas.title")} sub=${t("personas.sub")} />
    <div class="view">
      <${Loaded} of=${agents} isEmpty=${(data) => !data.items.length} empty=${html`<${Empty} icon="smile" text=${t("personas.none")} />`}>
        ${(data) => html`<section class="section"><ul class="items">${data.items.map((one) => html`<${Agent} key=${one.agent} one=${one} />`)}</ul></section>`}
      <//>
    </div>
  `;
}

const Names = ({ label, names }) =>
  names?.length > 0 && html`<p class="meta-line"><span>${label}</span>${names.map((name) => html`<${Badge} key=${name}>${name}<//>`)}</p>`;

const Part = ({ part }) => html`
  <li>
    <span class="item-top">
      <span class="item-name" dir="auto">${part.kind === "role" ? part.name : t(`personas.part_${part.kind}`, { name: part.name })}</span>
      ${part.is_own && html`<${Badge} tone="busy">${t("personas.own")}<//>`}
      ${!part.is_used && html`<${Badge} tone="warn">${t("personas.left_out")}<//>`}
      <small>${t("personas.tokens", { count: part.tokens })}</small>
    </span>
    <span class="meta-line"><code>${part.file}</code></span>
    <${Names} label=${t("personas.tasks")} names=${part.tasks} />
    <${Names} label=${t("personas.tools")} names=${part.tools} />
    ${part.text && html`<${Expandable} text=${part.text} />`}
  </li>
`;

const Parts = ({ of }) => html`
  <section class="section">
    <h2>${t("personas.parts")}</h2>
    <p class="quiet">${t("personas.parts_hint")}</p>
    <ol class="items">${of.parts.map((part) => html`<${Part} key=${`${part.kind} ${part.name}`} part=${part} />`)}</ol>
  </section>
`;

const Facts = ({ of }) => html`
  <section class="section">
    <h2>${t("personas.facts")}</h2>
    <dl class="facts">
      <dt>${t("personas.bot")}</dt><dd>@${of.username}</dd>
      ${of.aliases.length > 0 && html`<dt>${t("personas.aliases")}</dt><dd dir="auto">${of.aliases.join(", ")}</dd>`}
      <dt>${t("personas.codec")}</dt><dd>${of.codec}</dd>
      <dt>${t("personas.timezone")}</dt><dd>${of.timezone}</dd>
      <dt>${t("personas.sets")}</dt>
      <dd>${of.sticker_sets.length || of.stickers.length ? [...of.sticker_sets, ...of.stickers.map((one) => `${one.sticker} ${one.set}`)].map((name, at) => html`${at > 0 && ", "}<${Link} to=${withQuery("/media", { set: name.split(" ").at(-1) })}>${name}<//>`) : t("personas.no_sets")}</dd>
      <dt>${t("personas.curated")}</dt><dd><${Link} to=${withQuery("/media", { shown: "curated" })}>${t("personas.curated_count", { files: of.curated, edits: of.edits })}<//></dd>
      <dt>${t("personas.photos")}</dt><dd>${of.photos.length}</dd>
      <dt>${t("personas.memories")}</dt><dd>${of.memories}</dd>
    </dl>
  </section>
`;

const problemText = ({ code, kinds, ...values }) => told(code, { ...values, kinds: kinds?.map(kindOf).join(", ") });

const Problems = ({ of }) =>
  of.problems.length > 0 &&
  html`<section class="section"><h2>${t("personas.problems")}</h2><ul class="items">${of.problems.map(problemText).map((text) => html`<li key=${text}>${text}</li>`)}</ul></section>`;

function Instruction({ of, agent }) {
  const { copy } = usePage();
  const models = of.models.map((name) => ({ value: name, label: name }));
  return html`
    <section class="section">
      <div class="section-head">
        <h2>${t("personas.instruction")}</h2>
        <span class="item-acts"><small>${t("personas.tokens", { count: of.tokens })}</small><${IconButton} icon="copy" label=${t("personas.copy")} onClick=${() => copy(of.instruction)} /></span>
      </div>
      <p class="quiet">${t("personas.instruction_hint")}</p>
      ${models.length > 1 && html`<div class="tools"><${Select} label=${t("personas.model")} options=${models} value=${of.model} onPick=${(model) => go(withQuery(`${ADDRESS}/${encodeURIComponent(agent)}`, { model }), { replace: true })} /></div>`}
      <pre class="instruction" tabindex="0" dir="auto">${of.instruction}</pre>
    </section>
  `;
}

function Persona({ agent, model }) {
  const found = useGet(`/api/personas/${encodeURIComponent(agent)}`, { model });
  return html`
    <${Head} back=${ADDRESS} title=${found.data?.name || agent} sub=${found.data?.file} />
    <div class="view">
      <${Loaded} of=${found}>
        ${(of) => (of.problem ? html`<${Mistake} text=${of.problem} />` : html`<${Problems} of=${of} /><${Facts} of=${of} /><${Parts} of=${of} /><${Instruction} of=${of} agent=${agent} />`)}
      <//>
    </div>
  `;
}

const Personas = ({ rest, query }) => (rest[0] ? html`<${Persona} key=${rest[0]} agent=${rest[0]} model=${query.model} />` : html`<${List} />`);

export const Component = Personas;
