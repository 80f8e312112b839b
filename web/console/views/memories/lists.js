// The facts about one person, group or agent: ordinary and quoted ones, those in the persona's files, and offers that
// wait for a tap.
import { html } from "../../../parts/html.js";
import { Badge } from "../../../parts/badge.js";
import { Dialog } from "../../../parts/dialog.js";
import { confirm, openDialog } from "../../../parts/dialogs.js";
import { safeHref } from "../../../parts/entities.js";
import { Form, TextArea } from "../../../parts/form.js";
import { Empty } from "../../../parts/loaded.js";
import { MenuButton, MenuItem } from "../../../parts/menu.js";
import { Time } from "../../../parts/time.js";
import { attempt, toast } from "../../../parts/toasts.js";
import { told } from "../../../parts/told.js";
import { post } from "../../api.js";
import { Link } from "../../route.js";
import { t } from "../../words.js";
import { nameOf } from "./owner.js";

const LONGEST = 500;

/** Changes a memory, and shows a toast with a button that undoes the change. */
async function change(what, body, told, reload) {
  const { undo } = await post(`/api/memories/${what}`, body);
  reload();
  const back = () =>
    attempt(async () => {
      await post("/api/memories/undo", undo);
      reload();
    });
  toast(told, { undo: undo && back });
}

const edit = (owner, one, reload) =>
  openDialog(({ close }) => {
    const send = async (form) => {
      await change("edit", { owner, memory: one.id, text: form.get("text") }, t("memories.edited"), reload);
      close();
    };
    return html`
      <${Dialog} title=${t("memories.edit_title")} onClose=${close}>
        <${Form} submit=${t("memories.save")} onSend=${send}>
          <${TextArea} name="text" label=${t("memories.fact")} hint=${one.is_for_groups ? t("memories.edit_hint_groups") : t("memories.edit_hint")} value=${one.text} maxlength=${LONGEST} required />
        <//>
      <//>
    `;
  });

async function remove(owner, one, reload) {
  const agreed = await confirm({ title: t("memories.delete_title"), text: t("memories.delete_text", { fact: one.text }), action: t("memories.delete"), isDanger: true });
  if (agreed) await attempt(() => change("delete", { owner, memory: one.id }, t("memories.deleted"), reload));
}

const move = (owner, one, target, reload) =>
  attempt(() => change("move", { owner, memory: one.id, to: target.owner }, t("memories.moved", { name: nameOf(target) }), reload));

const share = (owner, one, reload) =>
  attempt(() => change("share", { owner, memory: one.id, is_shared: !one.is_for_groups }, t(one.is_for_groups ? "memories.kept_out" : "memories.for_groups"), reload));

const adopt = (owner, one, reload) => attempt(() => change("adopt", { owner, memory: one.id }, t("memories.adopted"), reload));

function Origin({ one }) {
  const place = one.is_private ? t("memories.in_private") : one.said_in;
  const href = safeHref(one.link);
  return html`
    <span class="meta-line">
      ${one.said_by && html`<span dir="auto">${t("memories.said_by", { name: one.said_by })}</span>`}
      ${one.said_by_others > 0 && html`<span>${t("memories.said_by_others", { count: one.said_by_others })}</span>`}
      ${href ? html`<a href=${href} target="_blank" rel="noreferrer" dir="auto">${place}</a>` : html`<span dir="auto">${place}</span>`}
      ${one.conversation && html`<${Link} to=${`/conversations/${one.conversation}${one.seq ? `?seq=${one.seq}` : ""}`}>${t("memories.to_turn")}<//>`}
      <${Time} at=${one.changed_at} />
      ${one.used_at && html`<span>${t("memories.used")} <${Time} at=${one.used_at} /></span>`}
    </span>
  `;
}

const Move = ({ owner, one, reload }) =>
  one.moves.length > 0 &&
  html`<${MenuButton} class="button is-quiet" label=${t("memories.move_label", { fact: one.text })} button=${t("memories.move")}>
    ${(close) =>
      one.moves.map(
        (target) => html`<${MenuItem} key=${target.owner} onPick=${() => {
          close();
          move(owner, one, target, reload);
        }}>${t("memories.move_to", { name: nameOf(target) })}<//>`,
      )}
  <//>`;

const Fact = ({ owner, one, reload }) => html`
  <li>
    <p class="item-text" dir="auto">${one.text}</p>
    <${Origin} one=${one} />
    ${one.is_for_groups && html`<span class="meta-line"><${Badge}>${t("memories.for_groups")}<//></span>`}
    <div class="item-acts">
      <button type="button" class="button is-quiet" onClick=${() => edit(owner, one, reload)} aria-label=${t("memories.edit_label", { fact: one.text })}>${t("memories.edit")}</button>
      <${Move} owner=${owner} one=${one} reload=${reload} />
      ${one.may_share && html`<button type="button" class="button is-quiet" onClick=${() => share(owner, one, reload)} aria-label=${t("memories.share_label", { action: t(one.is_for_groups ? "memories.keep_out" : "memories.share"), fact: one.text })}>${t(one.is_for_groups ? "memories.keep_out" : "memories.share")}</button>`}
      <button type="button" class="button is-quiet" onClick=${() => remove(owner, one, reload)} aria-label=${t("memories.delete_label", { fact: one.text })}>${t("memories.delete")}</button>
    </div>
  </li>
`;

export const Kept = ({ of, reload }) => html`
  <section class="section">
    <div class="section-head"><h2>${t("memories.kept")}</h2><small>${t("memories.room", { count: of.items.length, most: of.most })}</small></div>
    ${
      of.items.length
        ? html`<ul class="items">${of.items.map((one) => html`<${Fact} key=${one.id} owner=${of.owner} one=${one} reload=${reload} />`)}</ul>`
        : html`<${Empty} icon="book" text=${t("memories.none_here")} />`
    }
  </section>
`;

export const Quoted = ({ of, reload }) =>
  of.quoted.length > 0 &&
  html`<section class="section">
    <h2>${t("memories.quoted")}</h2>
    <p class="quiet">${t("memories.quoted_hint")}</p>
    <ul class="items">
      ${of.quoted.map(
        (one) => html`<li key=${one.id}>
          <p class="item-text" dir="auto">${one.text}</p>
          <span class="meta-line"><${Badge} tone="warn">${told(one.outside)}<//><${Time} at=${one.changed_at} /></span>
          <div class="item-acts">
            <button type="button" class="button is-quiet" onClick=${() => adopt(of.owner, one, reload)}>${t("memories.adopt")}</button>
            <button type="button" class="button is-quiet" onClick=${() => remove(of.owner, one, reload)}>${t("memories.delete")}</button>
          </div>
        </li>`,
      )}
    </ul>
  </section>`;

export const Curated = ({ of }) =>
  of.curated.length > 0 &&
  html`<section class="section">
    <h2>${t("memories.curated")}</h2>
    <p class="quiet">${t("memories.curated_hint")}</p>
    <ul class="items">
      ${of.curated.map(
        (one) => html`<li key=${one.file}>
          <p class="item-text" dir="auto">${one.text}</p>
          <span class="meta-line"><code>${one.file}</code>${one.is_for_all && html`<span>${t("memories.for_all")}</span>`}</span>
        </li>`,
      )}
    </ul>
  </section>`;

async function take(offer, reload) {
  const { chat, keyboard, place } = offer;
  const done = await attempt(() => post("/api/memories/offers", { chat, keyboard, place }));
  if (!done) return;
  reload();
  toast(t(offer.text ? "memories.offer_taken" : "memories.offer_forgotten"));
}

export const Offers = ({ of, reload }) =>
  of.offers.length > 0 &&
  html`<section class="section">
    <h2>${t("memories.offers")}</h2>
    <p class="quiet">${t("memories.offers_hint")}</p>
    <ul class="items">
      ${of.offers.map(
        (offer) => html`<li key=${`${offer.keyboard} ${offer.place}`}>
          <p class="item-text" dir="auto">${offer.text || t("memories.offer_to_forget")}</p>
          <span class="meta-line">${offer.said_in && html`<span dir="auto">${offer.said_in}</span>`}<${Time} at=${offer.at} /></span>
          <div class="item-acts"><button type="button" class="button" onClick=${() => take(offer, reload)}>${t(offer.text ? "memories.take" : "memories.take_forget")}</button></div>
        </li>`,
      )}
    </ul>
  </section>`;
