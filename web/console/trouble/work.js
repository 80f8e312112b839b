// The agents' current work: the tick that holds each chat, and what each task waits for.
import { html, useEffect, useRef } from "../../parts/html.js";
import { Badge } from "../../parts/badge.js";
import { Icon } from "../../parts/icon.js";
import { Loaded } from "../../parts/loaded.js";
import { Time } from "../../parts/time.js";
import { attempt, toast } from "../../parts/toasts.js";
import { kindOf, told } from "../../parts/told.js";
import { post, useGet } from "../api.js";
import { live } from "../live.js";
import { Link } from "../route.js";
import { t } from "../words.js";

const SOON_MS = 1_500;

const Task = ({ task }) => html`
  <li>
    <p class="meta-line">
      <b>${kindOf(task.kind)}</b> ${task.not_before && html`<span>${t("work.next_try")} <${Time} at=${task.not_before} /></span>`}
      ${task.tries > 0 && html`<span>${t("work.tries", { count: task.tries })}</span>`}
    </p>
    ${task.text && html`<p class="item-text" dir="auto">${task.text}</p>`} ${task.why && html`<p class="why" dir="auto">${told(task.why)}</p>`}
  </li>
`;

function Chat({ chat, reload }) {
  const name = chat.chat_title || t("trouble.private_chat");
  const stop = () =>
    attempt(async () => {
      await post(`/api/conversations/${encodeURIComponent(chat.conversation)}/stop`, { id: crypto.randomUUID() });
      toast(t("conversation.stopping"));
      setTimeout(reload, SOON_MS);
    });
  return html`
    <li>
      <div class="item-top">
        <span class="item-name" dir="auto">${chat.conversation ? html`<${Link} to=${`/conversations/${encodeURIComponent(chat.conversation)}`}>${name}<//>` : name}</span>
        <small>${chat.agent}</small>
        ${chat.holder ? html`<${Badge} tone="busy">${t("work.held")}<//>` : html`<${Badge}>${t("work.waits")}<//>`}
        <${Time} at=${chat.oldest || chat.due_at} />
      </div>
      <p class="meta-line">
        ${chat.holder && html`<span>${t("work.holder")} <code>${chat.holder}</code> ${t("work.since")} <${Time} at=${chat.held_since} />, ${t("work.until")} <${Time} at=${chat.held_until} style="time" /></span>`}
        ${chat.unread > 0 && html`<span>${t("work.unread", { count: chat.unread })}</span>`} ${chat.starts > 1 && html`<span class="is-bad">${t("work.starts", { count: chat.starts })}</span>`}
        ${chat.due_at && html`<span>${t("work.due")} <${Time} at=${chat.due_at} /></span>`}
      </p>
      ${chat.tasks.length > 0 && html`<ul class="items">${chat.tasks.map((task) => html`<${Task} key=${task.id} task=${task} />`)}</ul>`}
      <div class="item-acts">
        ${chat.conversation && (chat.holder || chat.tasks.length > 0) && html`<button type="button" class="button is-quiet" title=${t("work.stop_will")} onClick=${stop}><${Icon} name="stop" size=${16} /> ${t("conversation.stop")}</button>`}
        ${chat.logs && html`<a class="button is-quiet" href=${chat.logs} target="_blank" rel="noopener noreferrer">${t("trouble.logs")}</a>`}
      </div>
    </li>
  `;
}

export function Work() {
  const work = useGet("/api/work");
  const timer = useRef(null);
  useEffect(() => {
    const soon = () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(work.reload, SOON_MS);
    };
    const end = live.on("conversation", soon);
    return () => {
      end();
      clearTimeout(timer.current);
    };
  }, []);
  return html`
    <section class="section">
      <div class="section-head"><h2>${t("work.title")}</h2><button type="button" class="button is-quiet" onClick=${work.reload} disabled=${work.busy}><${Icon} name="refresh" size=${16} /> ${t("work.again")}</button></div>
      <${Loaded} of=${work} rows=${1}>
        ${(data) => (data.items.length ? html`<ul class="items">${data.items.map((chat) => html`<${Chat} key=${chat.chat} chat=${chat} reload=${work.reload} />`)}</ul>` : html`<p class="quiet">${t("work.nothing")} <${Time} at=${data.at} /></p>`)}
      <//>
    </section>
  `;
}
