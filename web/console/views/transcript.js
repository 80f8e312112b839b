// A transcript: messages with the decisions on them, and other events in between.
import { html, useState } from "../../parts/html.js";
import { Badge } from "../../parts/badge.js";
import { dayOf, duration } from "../../parts/clock.js";
import { Icon } from "../../parts/icon.js";
import { dollars } from "../../parts/money.js";
import { counted } from "../../parts/reactions.js";
import { RichText } from "../../parts/rich_text.js";
import { secondsOf, Time } from "../../parts/time.js";
import { told } from "../../parts/told.js";
import { Link } from "../route.js";
import { Buttons } from "../talk/buttons.js";
import { isOfWeb } from "../talk/clock.js";
import { Delivery } from "../talk/delivery.js";
import { ReactionButtons, useMessageTools } from "../talk/message_tools.js";
import { File, wordsOf } from "../talk/file.js";
import { t } from "../words.js";
import { Marking } from "./marking.js";
import { tierOf } from "./naming.js";

const TONES = { access: "bad", wait: "busy" };

/** "answered: follow-up", "silent: said to Bob". */
function Decision({ decision, place, isAfterEdit }) {
  if (!decision) return null;
  const did = decision.tier === "wait" ? "waits" : decision.respond ? "answered" : "silent";
  const words = t(`transcript.${did}`, { reason: told(decision.reason) });
  return html`
    <${Link} to=${place} class=${`talk-decision is-${did}`} title=${t("transcript.why")}>
      <${Icon} name=${decision.respond ? "reply" : did === "waits" ? "clock" : "silent"} size=${14} />
      <span>${isAfterEdit ? `${t("transcript.after_edit")} ` : ""}${words}</span>
      ${decision.tier !== "none" && !decision.reason.includes(decision.tier) && html`<${Badge} tone=${TONES[decision.tier] || "calm"}>${tierOf(decision.tier)}<//>`}
      ${decision.recalled && html`<span class="quiet">${t("transcript.recalled", { count: decision.recalled.found })}</span>`}
    <//>
  `;
}

function Usage({ usage }) {
  if (!usage) return null;
  const cost = usage.cost === null ? t("transcript.cost_unknown") : dollars(usage.cost);
  return html`
    <p class="talk-usage">
      <span>${usage.models.join(", ")}</span><span>${cost}</span><span>${duration(usage.ms)}</span>
      <span>${t("transcript.tokens", { input: usage.input, output: usage.output })}</span>
      ${usage.cached > 0 && html`<span>${t("transcript.cached", { count: usage.cached })}</span>`}
      ${usage.thoughts > 0 && html`<span>${t("transcript.thoughts", { count: usage.thoughts })}</span>`}
      ${usage.problems.map((problem) => html`<span class="is-bad" key=${problem}>${told(problem)}</span>`)}
    </p>
  `;
}

function Versions({ edits }) {
  const [open, setOpen] = useState(false);
  if (!edits.length) return null;
  return html`
    <div class="talk-edits">
      <button type="button" class="link" aria-expanded=${open} onClick=${() => setOpen(!open)}>${t("transcript.edited", { count: edits.length })}</button>
      ${open && html`<ol>${edits.map((edit) => html`<li key=${edit.at} dir="auto"><${Time} at=${edit.at} style="precise" /> ${edit.text || "…"}</li>`)}</ol>`}
    </div>
  `;
}

function Reactions({ item, acts }) {
  if (!item.reactions.length) return null;
  const given = item.reactions.map(({ emoji, by }) => ({ emoji, from: by?.id }));
  const namesOf = (emoji) => item.reactions.filter((each) => each.emoji === emoji).map((each) => each.by?.name || "?").join(", ");
  const groups = counted(given, acts?.me).map((group) => ({ ...group, names: namesOf(group.emoji) }));
  if (acts) return html`<${ReactionButtons} item=${item} groups=${groups} acts=${acts} />`;
  return html`<p class="talk-reactions">
    ${groups.map(({ emoji, count, names }) => html`<span class="mark" key=${emoji} title=${names}>${emoji}${count > 1 ? ` ${count}` : ""}</span>`)}
  </p>`;
}

const Quote = ({ reply, onJump }) => html`
  <button type="button" class="talk-quote" dir="auto" onClick=${() => onJump(reply.id)}><span class="hidden">${t("parts.in_reply")} </span><b>${reply.by}</b> ${reply.text}</button>
`;

const ROLES = { command: "transcript.command", reminder: "transcript.reminder", lull: "transcript.by_lull" };

function Message({ item, header, marks, acts, onJump }) {
  const { by } = item;
  const { handlers, tools } = useMessageTools(item, acts);
  const place = `/conversations/${encodeURIComponent(header.id)}/why/${item.seq}`;
  if (item.role === "service") return html`<li class="talk-note" id=${`entry-${item.seq}`} dir="auto">${by?.name} ${item.text} <${Time} at=${item.at} style="time" /></li>`;
  return html`
    <li class=${`talk-entry${by.is_agent ? " is-agent" : ""}`} id=${item.seq ? `entry-${item.seq}` : undefined} data-message=${item.id}>
      <article class="talk-bubble" tabindex="-1" ...${handlers}>
        <header>
          <b dir="auto">${by.name}</b>
          ${by.is_bot && !by.is_agent && html`<${Badge}>${t("transcript.bot")}<//>`}
          ${ROLES[item.role] && html`<${Badge}>${t(ROLES[item.role])}<//>`}
          ${item.holds_outside && html`<${Badge} tone="warn" title=${t("transcript.outside_hint")}>${t("transcript.outside")}<//>`}
          <span class="talk-at"><${Delivery} role=${item.isSaving ? "sending" : item.role} /> <${Time} at=${item.at} style="time" /></span>
          ${tools}
        </header>
        ${item.forwarded_from && html`<p class="talk-quote">${t("transcript.forwarded", { name: item.forwarded_from })}</p>`}
        ${item.reply && html`<${Quote} reply=${item.reply} onJump=${onJump} />`}
        ${item.files.map((file, at) => html`<${File} key=${at} file=${file} caption=${item.text} header=${header} />`)}
        ${!item.files.length && item.media && html`<p class="quiet" dir="auto">${item.media}</p>`}
        ${item.text && html`<${RichText} text=${item.text} entities=${item.entities} message=${item} me=${0} />`}
        ${item.choices.length > 0 && html`<p class="talk-choices">${item.choices.map((choice) => html`<span class="mark" key=${choice} dir="auto">${choice}</span> `)}</p>`}
        <${Buttons} message=${item} onPress=${acts?.press} />
        <${Versions} edits=${item.edits} />
        <${Reactions} item=${item} acts=${acts} />
        ${item.later.map((one, at) => html`<p class="talk-later" key=${at} dir="auto"><${Icon} name="clock" size=${14} /> ${t("transcript.later", { time: duration(one.seconds * 1000) })}: ${one.text}</p>`)}
        ${item.looked_up.map((note, at) => html`<p class="talk-tool" key=${at} dir="auto"><${Icon} name="search" size=${14} /> ${note}</p>`)}
      </article>
      <div class="talk-beside">
        <${Decision} decision=${item.decision} place=${place} />
        <${Decision} decision=${item.decision_after_edit} place=${place} isAfterEdit />
        ${!by.is_agent && html`<${Marking} item=${item} marks=${marks} />`}
        <${Usage} usage=${item.usage} />
        ${by.is_agent && item.plan && html`<${Link} to=${place} class="talk-decision"><${Icon} name="graph" size=${14} /> ${t("transcript.plan")}<//>`}
      </div>
    </li>
  `;
}

const Note = ({ item, icon, children }) => html`
  <li class="talk-note" id=${item.seq ? `entry-${item.seq}` : undefined}><${Icon} name=${icon} size=${14} /> ${children} <${Time} at=${item.at} style="time" /></li>
`;

const Compressed = ({ item }) => html`
  <li class="talk-compressed"><details>
    <summary><${Icon} name="down" size=${14} /> ${t("transcript.compressed")} <${Time} at=${item.at} /></summary><p dir="auto">${item.summary}</p>
  </details></li>
`;

const Noted = ({ item }) =>
  item.abbreviation
    ? html`<li class="talk-compressed"><details><summary><${Icon} name="spark" size=${14} /> ${t("transcript.abbreviated")} <${Time} at=${item.at} /></summary><p dir="auto">${item.abbreviation}</p></details></li>`
    : html`<${Note} item=${item} icon="spark">${item.title ? t("transcript.named", { title: item.title }) : t("transcript.topics", { topics: item.topics.join(", ") })}<//>`;

const KINDS = {
  message: Message,
  noted: Noted,
  compressed: Compressed,
  titled: ({ item }) => html`<${Note} item=${item} icon="edit">${t("transcript.titled", { title: item.title })}<//>`,
  edit: ({ item }) => html`<${Note} item=${item} icon="edit">${t("transcript.edited_older", { name: item.by?.name || "?" })} <q dir="auto">${item.text}</q><//>`,
  reaction: ({ item }) => html`<${Note} item=${item} icon="smile">${t("transcript.reacted", { name: item.by?.name || "?", emoji: item.emojis.join(" ") || "–" })}<//>`,
  press: ({ item }) => html`<${Note} item=${item} icon="check">${t("transcript.pressed", { name: item.by?.name || "?" })}<//>`,
  described: ({ item }) => html`<${Note} item=${item} icon="eye">${t("transcript.described")} <q dir="auto">${wordsOf(item)}</q><//>`,
  unreadable: ({ item }) => html`<li class="talk-note is-bad"><${Icon} name="warning" size=${14} /> ${t("transcript.unreadable", { number: item.seq })}</li>`,
  event: ({ item }) => html`<${Note} item=${item} icon="info">${item.note ? html`${t("transcript.told_agent")} <q dir="auto">${item.note}</q>` : item.kind}<//>`,
};

// A message of a web conversation keeps its key from the time of sending on, when it has no entry number yet.
const keyOf = (item, at) => (item.type === "message" && isOfWeb(item.id) ? `message ${item.id}` : item.seq ? `${item.type} ${item.seq}` : `${item.type} ${item.at} ${at}`);

/**
 * All items, with the days between them. `marks`: from useMarks; without it nothing can be marked. `acts`: the owner's
 * actions on messages, {me, answer, react, press}; null if the transcript is read-only. `onJump` scrolls to a message.
 */
export function Items({ items, header, marks, acts, onJump }) {
  let day = "";
  const rows = [];
  items.forEach((item, at) => {
    const now = item.at ? dayOf(secondsOf(item.at)) : day;
    if (now !== day) rows.push(html`<li class="talk-day" key=${`day ${item.at}`}><h2>${now}</h2></li>`);
    day = now;
    const View = KINDS[item.type] || KINDS.event;
    rows.push(html`<${View} key=${keyOf(item, at)} item=${item} header=${header} marks=${marks} acts=${acts} onJump=${onJump} />`);
  });
  if (!rows.length) return html`<p class="quiet">${t("transcript.empty")}</p>`;
  return html`<ol class="talk-items" aria-label=${t("transcript.title")}>${rows}</ol>`;
}
