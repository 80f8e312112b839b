// Reminders with their next times, and those that were lost.
import { html, useState } from "../../parts/html.js";
import { Badge } from "../../parts/badge.js";
import { confirm } from "../../parts/dialogs.js";
import { Empty, Loaded } from "../../parts/loaded.js";
import { MenuButton, MenuItem } from "../../parts/menu.js";
import { Time } from "../../parts/time.js";
import { attempt, toast } from "../../parts/toasts.js";
import { told } from "../../parts/told.js";
import { post, usePages } from "../api.js";
import { Head } from "../head.js";
import { t } from "../words.js";
import { History } from "./reminders/history.js";
import { LastTime, Times } from "./reminders/times.js";

const chatOf = (item) => t("reminders.in_chat", { chat: item.chat_title || t("reminders.private_chat") });

// A tick carries out the order a moment later, so the list is read again after this time.
const SOON_MS = 2_500;

/** Sends an order of the owner, and calls `onDone` when a tick has probably carried it out. */
async function give(path, body, said, onDone) {
  const isGiven = await attempt(async () => {
    await post(path, body);
    toast(said);
    return true;
  });
  if (isGiven) setTimeout(onDone, SOON_MS);
}

function Acts({ reminder, later, onDone }) {
  const [busy, setBusy] = useState(false);
  const order = async (action, said) => {
    setBusy(true);
    await give(`/api/reminders/${reminder.id}/${action}`, {}, said, onDone);
    setBusy(false);
  };
  const now = async () => {
    const isAgreed = await confirm({ title: t("reminders.now_title"), text: t("reminders.now_text"), action: t("reminders.now") });
    if (isAgreed) order("now", t("reminders.sent"));
  };
  const cancel = async () => {
    const lost = [t("reminders.cancel_lost", { text: reminder.text || reminder.instruction })];
    if (await confirm({ title: t("reminders.cancel_title"), lost, action: t("reminders.cancel") })) order("cancel", t("reminders.cancelled"));
  };
  return html`
    <div class="item-acts">
      <button type="button" class="button is-quiet" disabled=${busy} onClick=${now}>${t("reminders.now")}</button>
      <${MenuButton} class="button is-quiet" button=${t("reminders.put_off")} disabled=${busy}>
        ${(close) =>
          Object.keys(later).map((action) => {
            const pick = () => {
              close();
              order(action, t("reminders.put_off"));
            };
            return html`<${MenuItem} key=${action} onPick=${pick}>${t(`reminders.${action.replace("-", "_")}`)}<//>`;
          })}
      <//>
      <button type="button" class="button is-quiet is-danger" disabled=${busy} onClick=${cancel}>${t("reminders.cancel")}</button>
    </div>
  `;
}

const Words = ({ item }) => html`
  ${item.instruction && html`<${Badge}>${t("reminders.instruction")}<//>`}
  ${item.is_notice && html`<${Badge}>${t("reminders.notice")}<//>`}
  <p class="item-text" dir="auto">${item.text || item.instruction}</p>
`;

function Reminder({ reminder, later, onDone }) {
  return html`
    <li>
      <div class="item-top">
        <span class="item-name"><${Time} at=${reminder.next_at} /></span><span>${reminder.when}</span>
        ${reminder.repeats && html`<${Badge} tone="busy">${t("reminders.repeats")}<//>`}
        ${reminder.is_held && html`<${Badge} tone="warn">${t("reminders.waits")}<//>`}
      </div>
      <${Words} item=${reminder} />
      <p class="meta-line">
        <span>${chatOf(reminder)}</span>${reminder.name && html`<span dir="auto">${t("reminders.for_person", { name: reminder.name })}</span>`}
        <span>${reminder.agent}</span><span>${t("reminders.set_at")} <${Time} at=${reminder.set_at} /></span>
        <${LastTime} last=${reminder.last} />
      </p>
      <${Times} times=${reminder.times} />
      <${Acts} reminder=${reminder} later=${later} onDone=${onDone} />
    </li>
  `;
}

const Lost = ({ items }) =>
  items.length > 0 &&
  html`<section class="section">
    <h2>${t("reminders.lost")}</h2>
    <ul class="items">
      ${items.map(
        (item) => html`<li key=${item.id}>
          <div class="item-top"><${Badge} tone="bad">${t(`reminders.at_${item.last.state}`)}<//><span>${chatOf(item)}</span><${Time} at=${item.last.due_at} /></div>
          <${Words} item=${item} />${item.last.why && html`<p class="quiet" dir="auto">${t("reminders.why", { why: told(item.last.why) })}</p>`}
        </li>`,
      )}
    </ul>
  </section>`;

function Reminders() {
  const reminders = usePages("/api/reminders");
  const { lost = [], later = {} } = reminders.data || {};
  return html`
    <${Head} title=${t("reminders.title")} />
    <div class="view">
      <${Lost} items=${lost} />
      <section class="section">
        <h2>${t("reminders.upcoming")}</h2>
        <${Loaded} of=${reminders} empty=${html`<${Empty} icon="bell" text=${t("reminders.none")} />`}>
          ${(items) => html`<ul class="items">${items.map((each) => html`<${Reminder} key=${each.id} reminder=${each} later=${later} onDone=${reminders.reload} />`)}</ul>`}
        <//>
      </section>
      <${History} />
    </div>
  `;
}

export const Component = Reminders;
