// The prompt of a moment, rebuilt from the transcript, in any of the formats.
import { html, useState } from "../../../parts/html.js";
import { Select } from "../../../parts/form.js";
import { Loaded } from "../../../parts/loaded.js";
import { useGet } from "../../api.js";
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

export function RebuiltPrompt({ path }) {
  const [format, setFormat] = useState("");
  const found = useGet(`${path}/prompt`, { format });
  return html`
    <section class="section">
      <h2>${t("why.prompt")}</h2>
      <p class="quiet">${t("why.prompt_rebuilt")}</p>
      <${Loaded} of=${found} rows=${6}>
        ${({ prompt }) => html`
          <div class="tools">
            <${Select} label=${t("why.format")} value=${prompt.format} options=${prompt.sizes.map((size) => ({ value: size.format, label: size.format }))} onPick=${setFormat} />
          </div>
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
    </section>
  `;
}
