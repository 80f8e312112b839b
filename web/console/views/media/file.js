// One file: its picture, and its descriptions by a model and by hand.
import { html } from "../../../parts/html.js";
import { Badge } from "../../../parts/badge.js";
import { Dialog } from "../../../parts/dialog.js";
import { confirm, openDialog } from "../../../parts/dialogs.js";
import { Expandable } from "../../../parts/fields.js";
import { Form, TextArea } from "../../../parts/form.js";
import { dollars } from "../../../parts/money.js";
import { Time } from "../../../parts/time.js";
import { attempt, toast } from "../../../parts/toasts.js";
import { told } from "../../../parts/told.js";
import { get, post } from "../../api.js";
import { t } from "../../words.js";
import { Preview } from "./preview.js";

const LONGEST = 600;
const TONES = { described: "good", unsupported: "warn", permanent_failure: "bad", temporary_failure: "busy", budget_exhausted: "busy" };

/** A name of the file for people: its emoji and set, or its kind. */
export const labelOf = (one) => [one.emoji, one.set || t(`media.kind_${one.kind}`)].filter(Boolean).join(" ");

async function save(one, text, reload) {
  const body = { file: one.unique_id, agent: one.agent };
  const { undo } = await post("/api/media/edit", { ...body, text });
  reload();
  toast(t(text ? "media.saved" : "media.removed"), {
    undo: () =>
      attempt(async () => {
        await post("/api/media/edit", { ...body, text: undo.text });
        reload();
      }),
  });
}

const edit = (one, reload) =>
  openDialog(({ close }) => {
    const send = async (form) => {
      await save(one, form.get("text").trim(), reload);
      close();
    };
    return html`
      <${Dialog} title=${t("media.edit_title", { name: labelOf(one) })} wide onClose=${close}>
        <div class="media-edit">
          <${Preview} one=${one} label=${labelOf(one)} />
          <${Form} submit=${t("media.save")} onSend=${send}>
            <${TextArea} name="text" label=${t("media.by_hand")} hint=${t("media.edit_hint")} value=${one.edit?.text || one.ai?.shows || ""} maxlength=${LONGEST} required />
          <//>
        </div>
      <//>
    `;
  });

async function again(one, reload) {
  const found = await attempt(() => get(`/api/media/files/${encodeURIComponent(one.unique_id)}`));
  if (!found) return;
  const cost = found.cost === null ? t("media.cost_unknown") : t("media.cost_at_most", { usd: dollars(found.cost) });
  const agreed = await confirm({ title: t("media.again_title", { name: labelOf(one) }), text: `${t("media.again_text")} ${cost}`, action: t("media.again") });
  if (!agreed) return;
  await attempt(async () => {
    await post("/api/media/again", { file: one.unique_id, agent: one.agent });
    toast(t("media.asked"));
    reload();
  });
}

const Text = ({ name, text }) => text && html`<div class="media-text"><h4>${name}</h4><${Expandable} text=${text} /></div>`;

function Model({ ai }) {
  if (!ai) return html`<p class="quiet">${t("media.never_described")}</p>`;
  return html`
    <p class="meta-line">
      <${Badge} tone=${TONES[ai.outcome] || "busy"}>${t(`media.outcome_${ai.outcome || "waiting"}`)}<//>
      ${ai.source && html`<span>${ai.source}</span>`}
      ${ai.tries > 1 && html`<span>${t("media.tries", { count: ai.tries })}</span>`}
      ${ai.next_try_at && html`<span>${t("media.next_try")} <${Time} at=${ai.next_try_at} /></span>`}
      ${ai.is_cut && html`<span>${t("media.is_cut")}</span>`}
      ${ai.is_again && html`<${Badge} tone="busy">${t("media.is_again")}<//>`}
    </p>
    ${ai.again_failure && html`<p role="status">${t("media.again_failed")} ${told(ai.again_failure)}</p>`}
    ${ai.why && html`<p>${told(ai.why)}</p>`}
    <${Text} name=${t("media.shows")} text=${ai.shows} />
    <${Text} name=${t("media.written")} text=${ai.written} />
    <${Text} name=${t("media.says")} text=${ai.says} />
  `;
}

function ByHand({ one }) {
  if (one.file)
    return html`
      <${Expandable} text=${one.file.text} />
      <p class="meta-line"><code>${one.file.file}</code>${one.edit && html`<span>${t("media.file_wins")}</span>`}</p>
    `;
  if (!one.edit) return html`<p class="quiet">${t("media.no_hand")}</p>`;
  return html`<${Expandable} text=${one.edit.text} /><p class="meta-line"><span>${t("media.written_at")} <${Time} at=${one.edit.edited_at} /></span></p>`;
}

export const File = ({ one, hasModel, reload }) => html`
  <li class="section media-file">
    <${Preview} one=${one} label=${labelOf(one)} />
    <div class="media-words">
      <div class="section-head">
        <h3 dir="auto">${labelOf(one)}</h3>
        <span class="meta-line">${one.set && html`<span>${t(`media.kind_${one.kind}`)}</span>`}${one.is_own && html`<span>${t("media.own")}</span>`}<${Time} at=${one.sent_at} /></span>
      </div>
      <div class="media-columns">
        <section><h4 class="media-source">${t("media.by_model")}</h4><${Model} ai=${one.ai} /></section>
        <section><h4 class="media-source">${t("media.by_hand")}</h4><${ByHand} one=${one} /></section>
      </div>
      <div class="item-acts">
        ${!one.file && html`<button type="button" class="button is-quiet" onClick=${() => edit(one, reload)} aria-label=${t(one.edit ? "media.edit_label" : "media.write_label", { name: labelOf(one) })}>${t(one.edit ? "media.edit" : "media.write")}</button>`}
        ${one.edit && html`<button type="button" class="button is-quiet" onClick=${() => attempt(() => save(one, "", reload))} aria-label=${t("media.remove_label", { name: labelOf(one) })}>${t("media.remove")}</button>`}
        ${hasModel && !one.edit && !one.file && html`<button type="button" class="button is-quiet" onClick=${() => again(one, reload)} aria-label=${t("media.again_label", { name: labelOf(one) })}>${t("media.again")}</button>`}
      </div>
    </div>
  </li>
`;
