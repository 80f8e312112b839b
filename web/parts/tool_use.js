// A call of a tool: its name, its arguments, its duration and its result. Also lists the tasks of a plan that wait for
// a tap because of a text that was read.
import { html } from "./html.js";
import { duration } from "./clock.js";
import { Expandable, Fields } from "./fields.js";
import { Icon } from "./icon.js";
import { told } from "./told.js";
import { t } from "./words.js";

/** The arguments of a call as an object. If the text was cut off it is not JSON any more, and is returned as it is. */
function given(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const ToolUse = ({ use }) => html`
  <li class="call tool-use" data-tool=${use.name}>
    <p class="tool-head">
      <bdi class="tool-name">${use.name}</bdi>
      <span class=${`state is-${use.is_error ? "failed" : "done"}`}>${use.is_error ? t("parts.failed") : t("parts.answered")}</span>
      <span class="quiet">${duration(use.ms)}</span>
    </p>
    <${Fields} value=${given(use.arguments)} />
    <div class="came-back"><h4>${t("parts.came_back")}</h4><${Expandable} text=${use.answer || t("parts.nothing")} /></div>
    ${use.outside && html`<p class="outside-note"><${Icon} name="outside" size=${14} /> ${t("parts.outside", { what: told(use.outside) })}</p>`}
  </li>
`;

export const Taint = ({ taint: { seen, waiting } }) => html`
  <li class="taint" data-testid="taint">
    <${Icon} name="outside" size=${18} />
    <p>
      From here on it had seen words from outside: ${seen.join("; ")}; ${
        waiting.length ? html`so a tap was needed for: <strong>${waiting.join(", ").replaceAll("`", "")}</strong>.` : "nothing of it needed a tap."
      }
    </p>
  </li>
`;
