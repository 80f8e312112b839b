// The silences of an agent: in all chats, if its owner chose that, or in muted chats.
import { html } from "../../../parts/html.js";
import { Time } from "../../../parts/time.js";
import { t } from "../../words.js";
import { act } from "./acts.js";

function Everywhere({ people, reload }) {
  const path = `/api/people/${people.agent}/silence`;
  const silence = () => act(path, { on: true }, { title: t("people.silence_title"), text: t("people.silence_text"), action: t("people.silence"), after: reload });
  const wake = () => act(path, { on: false }, { after: reload });
  return html`
    <p>${people.silenced_since ? html`${t("people.is_silent")} <${Time} at=${people.silenced_since} />.` : t("people.is_awake")}</p>
    <div class="item-acts">
      ${people.silenced_since ? html`<button type="button" class="button" onClick=${wake}>${t("people.wake")}</button>` : html`<button type="button" class="button is-quiet" onClick=${silence}>${t("people.silence")}</button>`}
    </div>
  `;
}

function Muted({ agent, chat, reload }) {
  const unmute = () => act(`/api/people/${agent}/chat/${encodeURIComponent(chat.chat)}`, { on: false }, { after: reload });
  return html`
    <li>
      <div class="item-top">
        <span class="item-name" dir="auto">${chat.name || chat.chat_id}</span>
        <small>${chat.until ? html`${t("people.until")} <${Time} at=${chat.until} />` : t("people.until_unmuted")}</small>
      </div>
      <div class="item-acts"><button type="button" class="button is-quiet" onClick=${unmute}>${t("people.unmute")}</button></div>
    </li>
  `;
}

export const Silences = ({ people, reload }) => html`
  <section class="section">
    <h2>${t("people.silences")}</h2>
    <${Everywhere} people=${people} reload=${reload} />
    ${people.muted.length > 0 && html`<h3>${t("people.muted", { count: people.muted.length })}</h3>`}
    <ul class="items">${people.muted.map((chat) => html`<${Muted} key=${chat.chat} agent=${people.agent} chat=${chat} reload=${reload} />`)}</ul>
  </section>
`;
