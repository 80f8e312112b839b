// One incident: what happened, what lull did, what the owner can do, and the buttons for that.
import { html, useState } from "../../parts/html.js";
import { Badge } from "../../parts/badge.js";
import { confirm } from "../../parts/dialogs.js";
import { Time } from "../../parts/time.js";
import { attempt, toast } from "../../parts/toasts.js";
import { told } from "../../parts/told.js";
import { get, post } from "../api.js";
import { Link } from "../route.js";
import { t } from "../words.js";

const pathOf = (incident) => `/api/trouble/incidents/${encodeURIComponent(incident.id)}`;

const ACTS = {
  replay: async (incident) => {
    const answer = await post(`${pathOf(incident)}/replay`);
    toast(told(answer.said), { isBad: !answer.is_done });
  },
  resend: async (incident) => {
    await post(`${pathOf(incident)}/resend`, { knowing: true });
    toast(t("trouble.resent"));
  },
  drop: async (incident) => {
    await post(`${pathOf(incident)}/drop`);
    toast(t("trouble.dropped"));
  },
};

const asks = (action) => ({
  title: t(`trouble.${action}_title`),
  text: t(`trouble.${action}_text`),
  action: t(`trouble.${action}`),
  isDanger: action === "resend",
});

function Settled({ incident }) {
  const [word, at] = incident.dropped_at
    ? ["trouble.dropped", incident.dropped_at]
    : [incident.kind === "unknown_delivery" ? "trouble.resend" : "trouble.replay", incident.replayed_at];
  return at && html`<p><${Badge} tone="good">${t(word)}<//> <${Time} at=${at} /></p>`;
}

function Details({ shown }) {
  return html`
    <dl class="fields">
      <div><dt>${t("trouble.why")}</dt><dd><p class="prewrap" dir="auto">${told(shown.why)}</p></dd></div>
      ${
        shown.kind === "unknown_delivery" &&
        html`<div><dt>${t("trouble.lost_text")}</dt><dd><p class="prewrap" dir="auto">${shown.text || t("trouble.no_text")}</p></dd></div>`
      }
    </dl>
    ${shown.logs && html`<p><a href=${shown.logs} target="_blank" rel="noopener noreferrer">${t("trouble.logs")}</a></p>`}
  `;
}

/** `onChange()` is called after an action on the incident. */
export function Incident({ incident, onChange }) {
  const [details, setDetails] = useState(null);
  const [busy, setBusy] = useState(false);
  const open = async () => setDetails(details ? null : (await attempt(() => get(pathOf(incident)))) || null);
  const act = async (action) => {
    if (!(await confirm(asks(action)))) return;
    setBusy(true);
    await attempt(() => ACTS[action](incident));
    setBusy(false);
    onChange();
  };
  return html`
    <li>
      <div class="item-top">
        <span class="item-name">${t(`trouble.kind_${incident.kind}`)}</span>
        <span>${t("trouble.about_chat", { chat: incident.chat_title || t("trouble.private_chat") })}</span>
        <${Time} at=${incident.at} style="when" />
      </div>
      <${Settled} incident=${incident} />
      <p><strong>${t("trouble.did")}:</strong> ${t(`trouble.did_${incident.kind}`)}</p>
      ${incident.actions.length > 0 && html`<p><strong>${t("trouble.what_you_can")}:</strong> ${t(`trouble.can_${incident.kind}`)}</p>`}
      ${details && html`<${Details} shown=${details} />`}
      <div class="item-acts">
        ${incident.actions.map(
          (action) => html`<button type="button" class=${`button${action === "drop" ? " is-quiet" : ""}`} key=${action} disabled=${busy} onClick=${() => act(action)}>${t(`trouble.${action}`)}</button>`,
        )}
        <button type="button" class="button is-quiet" aria-expanded=${Boolean(details)} onClick=${open}>${t("trouble.show")}</button>
        ${incident.conversation && html`<${Link} class="button is-quiet" to=${`/conversations/${incident.conversation}`}>${t("trouble.open_conversation")}<//>`}
      </div>
    </li>
  `;
}
