// What lull knows about the files of a message: which sources were asked in turn, the result, and the time and cost.
import { html } from "/web/parts/html.js";
import { clockTime, preciseTime, size, timeOf } from "/web/parts/clock.js";
import { dollars } from "/web/parts/money.js";
import { Expandable } from "/web/parts/fields.js";
import { Numbers } from "./model_calls.js";
import { Step } from "/web/parts/step.js";

const KINDS = {
  photo: "Photo",
  sticker: "Sticker",
  animation: "GIF",
  voice: "Voice note",
  audio: "Audio",
  video: "Video",
  video_note: "Round video",
  document: "Document",
  custom_emoji: "Custom emoji",
};
const OUTCOMES = {
  described: ["done", "described"],
  unsupported: ["cancelled", "not opened"],
  permanent_failure: ["failed", "given up"],
  temporary_failure: ["waiting", "failed, will be tried again"],
  budget_exhausted: ["waiting", "left for a later run"],
};
const FAILED = ["temporary_failure", "permanent_failure"];
const LINKS = {
  agent: "The agent itself",
  curated: "Curated files",
  kept: "Kept descriptions",
  file: "The file itself",
  budget: "Budget",
  model: "Model",
};
const ANSWERS = { known: "answered", nothing: "nothing there", waiting: "not yet", delayed: "failed, asked again", unknown: "no description" };
const BUDGET = { nothing: "enough left", waiting: "used up" };
const MARKS = { known: "done", nothing: "cancelled", waiting: "waiting", delayed: "failed", unknown: "failed" };

const moment = (seconds) => html`<time title=${preciseTime(seconds)}>${timeOf(seconds)}</time>`;

function stateOf({ outcome, is_settled: settled, at_work_until: claimed }) {
  if (outcome) return OUTCOMES[outcome];
  if (settled) return ["cancelled", "not asked about"];
  const isHeld = claimed && claimed * 1000 > Date.now();
  return isHeld ? ["running", "being described"] : ["waiting", "not yet"];
}

function facts({ mime_type: type, size: bytes, width, height, duration_s: seconds, emoji, set_name: set }) {
  const told = [emoji, set && `set ${set}`, type, bytes && size(bytes), width && height && `${width} × ${height}`, seconds && clockTime(seconds)];
  return told.filter(Boolean).join(" · ");
}

const Chain = ({ chain }) => html`
  <ol class="chain" aria-label="Who was asked">
    ${chain.map(
      ({ link, answer }) => html`
        <li key=${link} class=${`is-${MARKS[answer]}`}>
          <strong>${LINKS[link]}</strong> ${(link === "budget" && BUDGET[answer]) || ANSWERS[answer]}
        </li>
      `,
    )}
  </ol>
`;

const Words = ({ name, children: text }) =>
  text && html`<div><dt>${name}</dt><dd><${Expandable} text=${text} /></dd></div>`;

function Cost({ file: { call, cost } }) {
  if (!call) return null;
  const price = cost === null ? "unknown" : cost ? dollars(cost) : "nothing for this message, since the description was known";
  return html`<p class="call-model">${call.model}</p><${Numbers} call=${call} /><p class="quiet" data-testid="cost">Cost: ${price}.</p>`;
}

function Tries({ file: { tries, most_tries: most, next_try_at: next, outcome } }) {
  if (tries < 2 && !FAILED.includes(outcome)) return null;
  const of = outcome === "temporary_failure" ? ` of ${most}` : "";
  return html`<p class="quiet">Tried ${tries}${of} times${next ? html`; again at ${moment(next)}` : ""}.</p>`;
}

function Reference({ reference }) {
  if (!reference) return null;
  const { is_open: open, is_awaited: awaited, message_ids: ids, try_at: due } = reference;
  const told = open
    ? html`this chat has not received the description yet${awaited ? ", and a message is waiting for it" : ""}; the sweep retries from ${moment(due)}`
    : "this chat has the description";
  return html`<p class="quiet" title=${`references/${reference.id}`}>Reference${ids.length ? ` of message${ids.length > 1 ? "s" : ""} ${ids.join(", ")}` : ""}: ${told}.</p>`;
}

const Parts = ({ parts }) =>
  parts.length > 0 && html`<p class="quiet">Stored parts: ${parts.map((part) => `${part.mime_type}, ${size(part.size)}`).join("; ")}.</p>`;

function File({ file }) {
  const [tone, word] = stateOf(file);
  return html`
    <li class="call" data-file=${file.kind}>
      <p class="tool-head">
        <strong>${KINDS[file.kind] || file.kind}</strong> <span class=${`state is-${tone}`}>${word}</span>
      </p>
      <p class="quiet">${facts(file)}</p>
      ${file.chain.length > 0 && html`<${Chain} chain=${file.chain} />`}
      <dl class="fields">
        <${Words} name="Shows">${file.shows}<//>
        <${Words} name=${file.is_own_words ? "Says (counts as the sender's own words)" : "Says"}>${file.says}<//>
        <${Words} name="Why">${file.why}<//>
      </dl>
      <${Cost} file=${file} />
      <${Tries} file=${file} />
      <${Parts} parts=${file.parts} />
      <${Reference} reference=${file.reference} />
    </li>
  `;
}

/** One step of the panel for all files of a message; nothing if the message has no files. */
export function FilesKnown({ files = [] }) {
  if (!files.length) return null;
  const states = files.map((file) => stateOf(file)[0]);
  const open = states.some((state) => state === "waiting" || state === "running");
  const tone = open ? "running" : states.every((state) => state === "failed") ? "failed" : "done";
  const described = files.filter((file) => file.outcome === "described").length;
  const word = files.length > 1 ? `${described} of ${files.length} described` : stateOf(files[0])[1];
  return html`
    <${Step} name="Files" state=${files.length > 1 ? tone : states[0]} word=${word}>
      <ol class="plain-list calls">${files.map((file) => html`<${File} key=${file.unique_id} file=${file} />`)}</ol>
    <//>
  `;
}
