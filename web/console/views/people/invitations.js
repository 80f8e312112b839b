// Invitations: links by which people are let in. A link is shown once, when it is made.
import { html } from "../../../parts/html.js";
import { Dialog } from "../../../parts/dialog.js";
import { confirm, openDialog } from "../../../parts/dialogs.js";
import { Field, Form } from "../../../parts/form.js";
import { usePage } from "../../../parts/page.js";
import { Time } from "../../../parts/time.js";
import { attempt, toast } from "../../../parts/toasts.js";
import { post } from "../../api.js";
import { t } from "../../words.js";

function Link({ made, close }) {
  const { copy } = usePage();
  return html`
    <${Dialog} title=${t("people.invited_title")} onClose=${close}>
      <p>${t("people.invited_text", { count: made.most })} <${Time} at=${made.until} style="precise" />.</p>
      <p><code class="prewrap">${made.link}</code></p>
      <div class="form-end"><button type="button" class="button" onClick=${() => copy(made.link)}>${t("people.copy")}</button></div>
    <//>
  `;
}

const invite = (agent, reload) =>
  openDialog(({ close }) => {
    const onSend = async (form) => {
      const made = await post(`/api/people/${agent}/invite`, { people: Number(form.get("people")), days: Number(form.get("days")) });
      close();
      openDialog((props) => html`<${Link} made=${made} close=${props.close} />`);
      reload();
    };
    return html`
      <${Dialog} title=${t("people.invite_title")} onClose=${close}>
        <p>${t("people.invite_text")}</p>
        <${Form} submit=${t("people.make_link")} onSend=${onSend}>
          <${Field} label=${t("people.how_many")} name="people" type="number" inputmode="numeric" min="1" max="500" step="1" value="1" required />
          <${Field} label=${t("people.how_long")} name="days" type="number" inputmode="numeric" min="1" max="366" step="1" value="7" required />
        <//>
      <//>
    `;
  });

async function revoke(agent, invitation, reload) {
  const isSure = await confirm({ title: t("people.revoke_title"), text: t("people.revoke_text"), action: t("people.revoke") });
  if (!isSure) return;
  if (await attempt(() => post(`/api/people/${agent}/invitation/${invitation.id}/revoke`))) {
    toast(t("people.revoked"));
    reload();
  }
}

export const Invitations = ({ agent, invitations, reload }) => html`
  <section class="section">
    <div class="section-head">
      <h2>${t("people.invitations")}</h2>
      <button type="button" class="button is-quiet" onClick=${() => invite(agent, reload)}>${t("people.invite")}</button>
    </div>
    ${invitations.length ? "" : html`<p class="quiet">${t("people.no_invitations")}</p>`}
    <ul class="items">
      ${invitations.map(
        (each) => html`<li key=${each.id}>
          <div class="item-top"><span class="item-name">${t("people.places_left", { count: each.most - each.used, most: each.most })}</span><small>${t("people.until")} <${Time} at=${each.until} /></small></div>
          <div class="item-acts"><button type="button" class="button is-quiet" onClick=${() => revoke(agent, each, reload)}>${t("people.revoke")}</button></div>
        </li>`,
      )}
    </ul>
  </section>
`;
