// Shows the way of one message through lull: update → tick → decision → plan → deliveries → model calls.
import { html, useEffect, useState } from "/web/parts/html.js";
import { change, useStore } from "../store.js";
import { isOpenTask, isSentIn, progress, useInspection } from "../inspection.js";
import { excerpt } from "../excerpt.js";
import { fullName, isBot, writerName } from "../people.js";
import { preciseTime, timeOf } from "/web/parts/clock.js";
import { Deliveries } from "/web/parts/deliveries.js";
import { FilesKnown } from "./files_known.js";
import { FailedCall, ModelCalls } from "./model_calls.js";
import { PlanGraph } from "/web/parts/plan_graph.js";
import { Step } from "/web/parts/step.js";

/**
 * The id of the newest message that lull sent without being asked by a message (a reminder, or the result of an
 * instruction); null if the plan has none.
 */
function unaskedIn(found) {
  const { plan, choices } = found;
  const triggers = plan?.trigger_message_ids || [];
  const isByItself = triggers.length > 0 && triggers.every((id) => id < 0 && !choices.some((each) => each.message_id === id));
  const said = (plan?.tasks || []).filter((task) => isByItself || task.kind === "remind");
  const ids = said.flatMap((task) => task.deliveries.flatMap((delivery) => delivery.message_ids));
  return ids.length ? Math.max(...ids) : null;
}

/**
 * The message that the panel is about: the chosen message if there is one. Otherwise the newest message that a person
 * wrote here, whose button a person pressed, or that lull sent by itself.
 */
function subjectOf(state, pane, pressed, unasked) {
  const list = (state.messages[pane.chat] || []).filter(
    (each) => (each.topic_id ?? null) === pane.topic && !each.service,
  );
  const chosen = list.find((each) => each.message_id === state.panel.message);
  const written = list.filter((each) => !isBot(state, each.from)).at(-1) || null;
  const isNewer = pressed?.chat === pane.chat && pressed.at >= (written?.date ?? 0);
  const own = list.find((each) => each.message_id === unasked && each.message_id > (written?.message_id ?? 0));
  return headOf(list, chosen || (isNewer && list.find((each) => each.message_id === pressed.of)) || own || written);
}

/** lull treats an album as one message: the first message of the album. */
const headOf = (list, message) =>
  message?.media_group_id ? list.find((each) => each.media_group_id === message.media_group_id) : message;

const BADGES = {
  waiting: ["waiting", "waiting for a pause in the chat"],
  working: ["running", "at work"],
  hearing: ["waiting", "waiting for the description of its file"],
  silent: ["cancelled", "no answer wanted"],
  refused: ["cancelled", "not allowed to get an answer"],
  planned: ["running", "carrying it out"],
  done: ["done", "done"],
};

const whenRead = (seconds) => html`<time title=${preciseTime(seconds)}>${timeOf(seconds)}</time>`;

function Update({ update }) {
  if (!update)
    return html`<${Step} name="Update" state="waiting" word="not here yet"><p>The webhook hasn't stored an update for this message yet.</p><//>`;
  return html`
    <${Step} name="Update" state="done" word=${update.read ? "read" : "stored"}>
      <p>${update.kind}, number ${update.update_id}, stored at ${whenRead(update.received_at)}.</p>
    <//>
  `;
}

function Tick({ found }) {
  const { lease, update } = found;
  if (lease)
    return html`
      <${Step} name="Tick" state="running" word="at work">
        <p>It holds the chat until ${whenRead(lease.until)}.</p>
      <//>
    `;
  if (update?.read)
    return html`
      <${Step} name="Tick" state="done" word="finished">
        <p>It has finished with this chat.</p>
      <//>
    `;
  return html`<${Step} name="Tick" state="waiting" word="not yet"><p>It starts after a short pause in the chat.</p><//>`;
}

/** Whether earlier messages were searched, why, and what the search cost. */
function Recall({ recall }) {
  if (!recall.is_asked) return html`<p class="quiet">Earlier messages were not searched: ${recall.why}.</p>`;
  const { why, found, matches, reads, ms, trouble } = recall;
  return html`<p class="quiet">
    Earlier messages were searched, because ${why}: ${found} of ${matches} matches shown; ${reads} documents read; ${ms} ms${trouble && `; ${trouble}`}.
  </p>`;
}

function Decision({ decision }) {
  if (!decision) return html`<${Step} name="Decision" state="waiting" word="not yet" />`;
  const { respond, reason, tier, has_waited: waited, recall } = decision;
  const [state, word] = tier === "wait" ? ["waiting", "wait"] : respond ? ["done", "answer"] : ["cancelled", "stay silent"];
  return html`
    <${Step} name="Decision" state=${state} word=${word}>
      <p>${reason}${tier && html` <span class="quiet">(tier: ${tier})</span>`}${waited && ", after it had waited for the description of its file"}</p>
      ${recall && html`<${Recall} recall=${recall} />`}
    <//>
  `;
}

const Choice = ({ choice }) => html`
  <${Step} name="Choice" state="done" word="pressed">
    <p dir="auto">${choice.who} ${choice.said}, at ${whenRead(choice.at)}.</p>
  <//>
`;

function Plan({ plan, isOwn, step }) {
  if (!isOwn && step === "working")
    return html`<${Step} name="Plan" state="running" word="being made"><p>The model is thinking about it.</p><//>`;
  if (!plan || (!isOwn && (step === "waiting" || step === "hearing"))) return html`<${Step} name="Plan" state="waiting" word="none yet" />`;
  if (!isOwn)
    return html`
      <${Step} name="Plan" state="cancelled" word="not kept">
        <p>A newer plan replaced it before anything was sent, or it's too old to be kept.</p>
      <//>
    `;
  const open = plan.tasks.some(isOpenTask);
  const word = plan.tasks.length ? `${plan.tasks.length} task${plan.tasks.length > 1 ? "s" : ""}` : "empty: silence";
  return html`
    <${Step} name="Plan" state=${open ? "running" : "done"} word=${word}>
      <${PlanGraph} tasks=${plan.tasks} />
      ${plan.notes.length > 0 && html`<ul class="notes">${plan.notes.map((note) => html`<li>${note}</li>`)}</ul>`}
    <//>
    <${Deliveries} tasks=${plan.tasks} />
    <${ModelCalls} plan=${plan} />
  `;
}

function Agents({ chat, bot, choose }) {
  const bots = useStore((state) => state.bots);
  if (chat.type === "private" || (chat.bots || []).length < 2) return null;
  return html`
    <label class="agent-choice">Agent
      <select value=${bot} onChange=${(event) => choose(Number(event.target.value))}>
        ${chat.bots.map((id) => html`<option value=${id}>${fullName(bots[id])}</option>`)}
      </select>
    </label>
  `;
}

/** The messages of the open chat with these ids. */
function Messages({ name, chat, ids }) {
  const all = useStore((state) => state.messages[chat]) || [];
  const found = all.filter((each) => ids.includes(each.message_id));
  if (!found.length) return null;
  return html`<${Step} name=${name} state="done" word=${found.length > 1 ? `${found.length} messages` : ""}>
    ${found.map((each) => html`<p class="quiet" dir="auto">${excerpt(each)}</p>`)}
  <//>`;
}

/** The remaining data about a turn whose plan has been deleted: the messages, and the calls of the model. */
const PastTurn = ({ turn, chat }) => html`
  <${Messages} name="Answer" chat=${chat} ids=${turn.said} />
  <${ModelCalls} plan=${{ calls: turn.calls, uses: [], taint: null }} />
`;

/** A message by lull: the messages that it answers, and the plan that sent it. */
function Own({ found, message }) {
  const { turn, plan } = found;
  const asked = turn?.asked || [];
  const isSent = isSentIn(found, message.message_id);
  const decision = found.decisions.findLast((each) => each.respond && asked.includes(each.message_id));
  return html`
    <p class="state is-done" data-testid="progress">lull sent this</p>
    <ol class="steps">
      <${Messages} name="In answer to" chat=${message.chat} ids=${asked} />
      ${decision && html`<${Decision} decision=${decision} />`}
      ${isSent || !turn ? html`<${Plan} plan=${plan} isOwn=${isSent} step="done" />` : html`<${PastTurn} turn=${turn} chat=${message.chat} />`}
    </ol>
  `;
}

function Found({ found, message }) {
  // for lull, a button press below this message is a separate message, which Telegram does not show
  const choice = found.choices.filter((each) => each.of === message.message_id).at(-1);
  const about = choice ? choice.message_id : message.message_id;
  const step = progress(found, about);
  const { plan, decisions } = found;
  const isOwn = Boolean(plan) && plan.trigger_message_ids.includes(about);
  const decision = decisions.find((each) => each.message_id === about);
  const isRefused = step === "silent" && decision?.tier === "access";
  const isPast = !isOwn && step === "done" && found.turn?.said.length > 0;
  const [tone, word] = BADGES[isRefused ? "refused" : step];
  return html`
    <p class=${`state is-${tone}`} data-testid="progress">${word}</p>
    <ol class="steps">
      ${choice && html`<${Choice} choice=${choice} />`}
      <${Update} update=${found.update} /><${Tick} found=${found} />
      ${!choice && html`<${FilesKnown} files=${found.files} />`}
      <${Decision} decision=${decision} />
      ${(step === "waiting" || step === "working") && found.model_failure && html`<${FailedCall} why=${found.model_failure} />`}
      ${isPast ? html`<${PastTurn} turn=${found.turn} chat=${message.chat} />` : step === "silent" ? null : html`<${Plan} plan=${plan} isOwn=${isOwn} step=${step} />`}
    </ol>
  `;
}

// A button press below a message by lull is shown in place of that message.
const isOwnOf = (found, message, botWrote) => botWrote && !found.choices.some((each) => each.of === message.message_id);

const followLast = () => change((state) => ({ panel: { ...state.panel, message: null } }));

export function LullDid({ chat, pane }) {
  const [pressed, setPressed] = useState(null);
  const [unasked, setUnasked] = useState(null);
  const message = useStore((state) => subjectOf(state, pane, pressed, unasked));
  const writer = useStore((state) => (message ? writerName(state, message) : ""));
  const botWrote = useStore((state) => message && isBot(state, message.from));
  const chosen = useStore((state) => state.panel.message !== null);
  const [picked, setPicked] = useState(null);
  const bot = chat.type === "private" ? chat.bot_id : (botWrote && message.from) || picked || (chat.bots || [])[0];
  const { found, problem } = useInspection({ chat: chat.key, topic: pane.topic, bot, message: message?.message_id, isOwn: botWrote });
  const newest = found?.choices.at(-1);
  useEffect(() => {
    if (newest) setPressed({ ...newest, chat: chat.key });
  }, [chat.key, newest?.message_id]);
  const byItself = found && unaskedIn(found);
  useEffect(() => setUnasked(null), [chat.key]);
  useEffect(() => {
    if (byItself) setUnasked(byItself);
  }, [byItself]);
  if (!message) return html`<p class="hint">Write something; what lull does with it is shown here, step by step.</p>`;
  return html`
    <div class="subject">
      <p class="subject-who">${chosen ? "About this message" : "About the last message"} · ${writer}, ${timeOf(message.date)}</p>
      <p class="subject-text" dir="auto">${excerpt(message)}</p>
      ${chosen && html`<button type="button" class="link" onClick=${followLast}>Follow the last message</button>`}
    </div>
    <${Agents} chat=${chat} bot=${bot} choose=${setPicked} />
    ${problem && html`<p class="notice is-warning" role="status">${problem}</p>`}
    ${!problem && !found && html`<p class="hint">Looking …</p>`} ${found && html`<${isOwnOf(found, message, botWrote) ? Own : Found} found=${found} message=${message} />`}
  `;
}
