// A person's data: the chats that contain it, the effects of an export and of a deletion, and the buttons for both.
import { html } from "../../parts/html.js";
import { Dialog } from "../../parts/dialog.js";
import { confirm, openDialog } from "../../parts/dialogs.js";
import { Field, Form } from "../../parts/form.js";
import { Loaded } from "../../parts/loaded.js";
import { attempt, toast } from "../../parts/toasts.js";
import { told } from "../../parts/told.js";
import { post, useGet } from "../api.js";
import { Head } from "../head.js";
import { Link } from "../route.js";
import { t } from "../words.js";
import { Deletion, Export } from "./running.js";

// the content of a collection in words; a collection without a text here has the function's English one
function holdsOf({ collection, holds }) {
  const id = `stored.${collection.replaceAll("/", "_")}`;
  const text = t(id);
  return text === id ? holds : text;
}

const Places = ({ places }) => html`
  <section class="section">
    <h2>${t("person_data.places")}</h2>
    <div class="table-scroll" tabindex="0" role="region" aria-label=${t("person_data.places")}>
      <table class="table-of-sentences">
        <thead>
          <tr><th scope="col">${t("person_data.kind")}</th><th scope="col">${t("person_data.content")}</th><th scope="col">${t("person_data.when_forgotten")}</th><th scope="col">${t("person_data.in_export")}</th></tr>
        </thead>
        <tbody>
          ${places.map(
            (each) => html`<tr key=${each.collection}>
              <th scope="row"><code>${each.collection}</code></th><td>${holdsOf(each)}</td><td>${told(each.forgotten)}</td><td>${each.exported.join(", ") || "–"}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>
`;

const Chats = ({ data }) => html`
  <section class="section">
    <h2>${t("person_data.chats")}</h2>
    <ul class="items">
      ${data.private.map((each) => html`<li key=${each.chat}>${t("person_data.private_chat", { agent: each.agent })}</li>`)}
      ${data.groups.map((each) => html`<li key=${each.chat}><span dir="auto">${each.title || t("person_data.group")}</span> <small class="quiet">${each.agent}</small></li>`)}
    </ul>
  </section>
`;

function Forget({ person, close, onDone }) {
  const send = async (form) => {
    await post(`/api/person-data/${person}/forget`, { confirm: form.get("confirm") });
    close();
    toast(t("trouble.started"));
    onDone();
  };
  return html`
    <${Dialog} title=${t("person_data.forget_title")} onClose=${close}>
      <p>${t("person_data.forget_text")}</p>
      <${Form} submit=${t("person_data.forget")} onSend=${send}>
        <${Field} name="confirm" required inputmode="numeric" label=${t("person_data.confirm", { id: person })} />
      <//>
    <//>
  `;
}

export function PersonData({ person }) {
  const data = useGet(`/api/person-data/${encodeURIComponent(person)}`);
  const exportData = async () => {
    const isAgreed = await confirm({ title: t("person_data.export_title"), text: t("person_data.export_text"), action: t("trouble.export") });
    if (!isAgreed) return;
    await attempt(() => post(`/api/person-data/${person}/export`));
    data.reload();
  };
  const forget = () => openDialog(({ close }) => html`<${Forget} person=${person} close=${close} onDone=${data.reload} />`);
  return html`
    <${Head} title=${t("person_data.title")} sub=${t("person_data.person", { id: person })} back="/trouble" />
    <div class="view">
      <${Loaded} of=${data}>
        ${(found) => html`
          <section class="section">
            <div class="item-acts">
              <button type="button" class="button" disabled=${!found.may_export} onClick=${exportData}>${t("person_data.export")}</button>
              <button type="button" class="button is-danger" disabled=${!found.may_forget} onClick=${forget}>${t("person_data.forget")}</button>
              <${Link} class="button is-quiet" to="/people">${t("person_data.people")}<//>
            </div>
            ${!found.may_export && html`<p class="quiet">${t("person_data.no_export")}</p>`}
            ${!found.may_forget && html`<p class="quiet">${t("person_data.no_forget")}</p>`}
            ${found.export && html`<${Export} export=${found.export} />`}
            ${found.deletions.map((each) => html`<${Deletion} key=${each.id} deletion=${each} />`)}
          </section>
          <${Chats} data=${found} /><${Places} places=${found.places} />
        `}
      <//>
    </div>
  `;
}
