// The prompt of a past turn: the exact words if they were recorded, else a prompt rebuilt from the transcript.
import { html, useState } from "../../../parts/html.js";
import { confirm } from "../../../parts/dialogs.js";
import { Select } from "../../../parts/form.js";
import { Loaded } from "../../../parts/loaded.js";
import { dollars } from "../../../parts/money.js";
import { Tabs } from "../../../parts/tabs.js";
import { Time } from "../../../parts/time.js";
import { attempt } from "../../../parts/toasts.js";
import { told } from "../../../parts/told.js";
import { post, useGet } from "../../api.js";
import { t } from "../../words.js";
import { Layers, number } from "./timeline.js";

const DIFFERENCES = {
  persona_now: "why.diff_persona_now",
  memories_now: "why.diff_memories_now",
  not_recorded: "why.diff_not_recorded",
  other_summary: "why.diff_other_summary",
  without_recalled: "why.diff_without_recalled",
  without_files: "why.diff_without_files",
};
const DAYS = [1, 3, 7, 14, 30];
const ROLES = { user: "why.role_user", model: "why.role_model" };

const Turn = ({ role, parts }) => html`
  <section class=${`why-turn is-${role}`}>
    <h3>${role === "system" ? t("why.role_system") : ROLES[role] ? t(ROLES[role]) : role}</h3>
    ${parts.map((part, at) => html`<pre key=${at} tabindex="0" dir="auto" aria-label=${t("why.prompt_part", { number: at + 1 })}>${part}</pre>`)}
  </section>
`;

const Sizes = ({ prompt }) => html`
  <div class="why-beside">
    ${prompt.sizes.map(
      (size) => html`<section class="why-plan" key=${size.format}>
        <h3>${size.format}</h3>
        <p class="quiet">${t("why.tokens", { count: number(size.tokens), most: number(size.max_tokens) })}</p>
        <p class="quiet">${t("why.messages_size", { shown: size.messages_shown, cut: size.messages_cut })}</p>
        <${Layers} layers=${size.layers} perToken=${prompt.characters_per_token} />
      </section>`,
    )}
  </div>
`;

// A turn records a hash and the length of its instruction, not the words. Turns of earlier versions have no hash.
function InstructionChanged({ recorded, prompt }) {
  const size = prompt.model === recorded?.model && prompt.sizes.find((each) => each.format === recorded.format);
  if (!size) return null;
  const isSame = recorded.instruction_hash ? size.instruction_hash === recorded.instruction_hash : size.layers.system === recorded.layers.system;
  if (isSame) return null;
  return html`<p role="status">${t("why.instruction_changed", { then: recorded.layers.system, now: size.layers.system })}</p>`;
}

function Rebuilt({ path, recorded }) {
  const [format, setFormat] = useState("");
  const found = useGet(`${path}/prompt`, { format });
  return html`
    <p class="quiet">${t("why.prompt_rebuilt")}</p>
    <${Loaded} of=${found} rows=${6}>
      ${({ prompt }) => html`
        <div class="tools">
          <${Select} label=${t("why.format")} value=${prompt.format} options=${prompt.sizes.map((size) => ({ value: size.format, label: size.format }))} onPick=${setFormat} />
        </div>
        <${InstructionChanged} recorded=${recorded} prompt=${prompt} />
        <details><summary>${t("why.formats")}</summary><${Sizes} prompt=${prompt} /></details>
        ${
          prompt.differences.length > 0 &&
          html`<details><summary>${t("why.differences")}</summary><ul class="notes">${prompt.differences.map((key) => html`<li key=${key}>${DIFFERENCES[key] ? t(DIFFERENCES[key]) : key}</li>`)}</ul></details>`
        }
        ${prompt.tools.length > 0 && html`<p class="meta-line">${t("why.tools_named", { names: prompt.tools.join(", ") })}</p>`}
        <${Turn} role="system" parts=${[prompt.system]} />
        ${prompt.turns.map((turn, at) => html`<${Turn} key=${at} role=${turn.role} parts=${turn.parts} />`)}
      `}
    <//>
  `;
}

const wordsOf = (turn) => [...turn.parts, ...turn.answers, ...(turn.verbatim ? [turn.verbatim] : [])];

const Exchange = ({ exchange }) => html`
  <p class="meta-line">
    ${exchange.call && html`<span>${exchange.call.model}</span>`} ${exchange.cost !== null && html`<span>${dollars(exchange.cost)}</span>`}
    <span>${t("why.tools_named", { names: exchange.tools.join(", ") || "–" })}</span>
  </p>
  <${Turn} role="system" parts=${[exchange.system]} />
  ${exchange.turns.map((turn, at) => html`<${Turn} key=${at} role=${turn.role} parts=${wordsOf(turn)} />`)}
  <section class="why-turn is-model">
    <h3>${t("why.reply")}</h3>
    ${exchange.problem && html`<p class="why">${told(exchange.problem)}</p>`}
    ${[exchange.reply, ...exchange.tool_calls].filter(Boolean).map((text, at) => html`<pre key=${at} tabindex="0" dir="auto">${text}</pre>`)}
  </section>
`;

function Kept({ exchanges }) {
  const [chosen, choose] = useState("0");
  const tabs = exchanges.map((_, at) => ({ id: String(at), title: t("why.call", { number: at + 1 }) }));
  return html`
    <p class="quiet">${t("why.prompt_kept")}</p>
    ${
      tabs.length > 1
        ? html`<${Tabs} label=${t("why.calls")} tabs=${tabs} chosen=${chosen} onChoose=${choose}><${Exchange} exchange=${exchanges[Number(chosen)]} /><//>`
        : html`<${Exchange} exchange=${exchanges[0]} />`
    }
  `;
}

/** The switch that records exchanges with models from now on. */
function Keeping({ agent }) {
  const keeping = useGet("/api/keeping");
  const [days, setDays] = useState("7");
  const until = keeping.data?.items.find((each) => each.agent === agent)?.until;
  const change = (wanted) => attempt(async () => keeping.set(await post("/api/keeping", { agent, days: wanted })));
  if (!keeping.data) return null;
  if (until)
    return html`<p class="item-acts">
      <span>${t("why.keeps_until")} <${Time} at=${until} style="precise" /></span>
      <button type="button" class="button is-quiet" onClick=${() => change(0)}>${t("why.keep_no_more")}</button>
    </p>`;
  const switchOn = async () => {
    const isSure = await confirm({ title: t("why.keep_title"), text: t("why.keep_text"), action: t("why.keep_button") });
    if (isSure) change(Number(days));
  };
  const options = DAYS.map((count) => ({ value: String(count), label: t("why.days", { count }) }));
  return html`<div class="tools">
    <${Select} label=${t("why.keep_for")} value=${days} options=${options} onPick=${setDays} />
    <button type="button" class="button is-quiet" onClick=${switchOn}>${t("why.keep_button")}</button>
  </div>`;
}

export function ShownPrompt({ path, agent, recorded }) {
  const kept = useGet(`${path}/exchanges`);
  const [isRebuilt, setRebuilt] = useState(false);
  const has = kept.data?.items.length > 0;
  return html`
    <section class="section">
      <div class="section-head">
        <h2>${t("why.prompt")}</h2>
        ${has && html`<button type="button" class="button is-quiet" onClick=${() => setRebuilt(!isRebuilt)}>${t(isRebuilt ? "why.show_kept" : "why.show_rebuilt")}</button>`}
      </div>
      ${has && !isRebuilt ? html`<${Kept} exchanges=${kept.data.items} />` : !kept.busy && html`<${Rebuilt} path=${path} recorded=${recorded} />`}
      <${Keeping} agent=${agent} />
    </section>
  `;
}
