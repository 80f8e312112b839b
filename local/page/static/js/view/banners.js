// Unobtrusive lines above everything: the server is away, the model is not ready yet, a canary (test message) was lost,
// a persona has an error.
import { html } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { duration, size } from "/web/parts/clock.js";
import { Icon } from "/web/parts/icon.js";

const Away = () => html`
  <p class="banner is-warning" role="status">
    <${Icon} name="warning" size=${16} /> The local Telegram server isn't answering. Trying again. What you see stays here.
  </p>
`;

function remaining({ done_bytes: done, total_bytes: total, speed_bps: speed }) {
  if (!speed || !total) return "";
  return `, about ${duration(Math.max(1, (total - done) / speed) * 1000)} left`;
}

function Downloading({ model }) {
  const { name, done_bytes: done = 0, total_bytes: total } = model;
  const amount = total ? `${size(done)} of ${size(total)}${remaining(model)}` : size(done);
  return html`
    <div class="banner" role="status">
      <p>Downloading the model ${name || ""} (only once): ${amount}. You can already write; answers come after the download.</p>
      <progress aria-label="Download of the model" value=${total ? done : undefined} max=${total || 1}></progress>
    </div>
  `;
}

const Starting = ({ model }) => html`
  <div class="banner" role="status">
    <p>The model ${model.name || ""} is starting. You can already write; the first answer takes a little longer.</p>
  </div>
`;

// The model reads the agents' instructions ahead, once for each version of them. A message that somebody writes now
// interrupts the reading.
function Reading({ model }) {
  const { names, done_tokens: done, total_tokens: total } = model.reading;
  const percent = Math.floor((100 * done) / total);
  return html`
    <div class="banner" role="status">
      <p>
        The model is reading the instructions of ${names.join(", ")} (only once): ${percent} %. You can already write; the
        model reads on between answers.
      </p>
      <progress aria-label="Reading of the instructions" value=${done} max=${total}></progress>
    </div>
  `;
}

const Failed = ({ model }) => html`
  <div class="banner is-warning" role="alert">
    <p>
      <${Icon} name="warning" size=${16} /> The model ${model.name || ""} isn't running, so there are no answers.
      ${" "}${model.error || model.note || ""}
    </p>
    <p>
      To fix this, read <code>make logs</code>, then <code>make restart</code>; or set <code>GEMINI_API_KEY</code> to use
      Google's Gemini.
    </p>
  </div>
`;

const BY_STATE = { downloading: Downloading, starting: Starting, failed: Failed };

// Commands in the text are in backticks, as in the terminal.
const Lost = ({ problem }) => html`
  <div class="banner is-warning" role="alert">
    <p>
      <${Icon} name="warning" size=${16} /> ${" "}
      ${problem.split("`").map((part, at) => (at % 2 ? html`<code>${part}</code>` : part))}
    </p>
  </div>
`;

// The error in a persona that somebody has just saved. The earlier version of the persona stays in use.
const Broken = ({ problem: { file, line, why } }) => html`
  <div class="banner is-warning" role="alert">
    <p>
      <${Icon} name="warning" size=${16} /> This persona can't be read:${" "}
      ${file && html`<code>${file}</code>${line ? `, line ${line}` : ""}: `}${why}
    </p>
    <p>The previous version keeps answering until you fix and save the file.</p>
  </div>
`;

export function Banners() {
  const away = useStore((state) => state.connection === "away");
  const model = useStore((state) => state.model);
  const View = model && (model.reading ? Reading : BY_STATE[model.state]);
  const problem = useStore((state) => state.canary.problem);
  const broken = useStore((state) => state.personas.problem);
  return html`
    <div class="banners">
      ${away && html`<${Away} />`}${problem && html`<${Lost} problem=${problem} />`}
      ${broken && html`<${Broken} problem=${broken} />`}
      ${View && html`<${View} model=${model} />`}
    </div>
  `;
}
