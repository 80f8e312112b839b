// The deployment: what runs where, the logs of each function, and the settings. It is read-only: settings change with
// the next deployment. A new value can be checked here, and the page writes the line that sets it.
import { html, useState } from "../../parts/html.js";
import { Badge } from "../../parts/badge.js";
import { Dialog } from "../../parts/dialog.js";
import { openDialog } from "../../parts/dialogs.js";
import { Field, Form, Select } from "../../parts/form.js";
import { IconButton } from "../../parts/icon.js";
import { Loaded } from "../../parts/loaded.js";
import { usePage } from "../../parts/page.js";
import { post, useGet } from "../api.js";
import { Head } from "../head.js";
import { Link } from "../route.js";
import { t } from "../words.js";

const MODELS = ["planning", "notes", "media", "embedding"];

const Fact = ({ name, children }) => (children ? html`<dt>${name}</dt><dd>${children}</dd>` : null);

const Facts = ({ of }) => html`
  <section class="section">
    <h2>${t("deployment.what")}</h2>
    <dl class="facts is-long">
      <${Fact} name=${t("deployment.project")}>${of.project}<//>
      <${Fact} name=${t("deployment.region")}>${of.region}<//>
      <${Fact} name=${t("deployment.revision")}>${of.revision && html`<code>${of.revision}</code>`}<//>
      <${Fact} name=${t("deployment.agents")}>${of.agents.map((agent, at) => html`${at > 0 && ", "}<${Link} to=${`/personas/${encodeURIComponent(agent)}`}>${agent}<//>`)}<//>
      ${MODELS.map((kind) => html`<${Fact} key=${kind} name=${t(`deployment.model_${kind}`)}>${[of.models[kind]].flat().filter(Boolean).join(", ") || t("deployment.no_model")}<//>`)}
    </dl>
    <p class="quiet">${t(of.is_local ? "deployment.restart_local" : "deployment.restart")}</p>
  </section>
`;

const Functions = ({ of }) => html`
  <section class="section">
    <h2>${t("deployment.functions")}</h2>
    ${of.is_local && html`<p class="quiet">${t("events.logs_local")}</p>`}
    <ul class="items">
      ${of.functions.map(
        (each) => html`<li key=${each.name}>
          <div class="item-top">
            <code class="item-name">${each.name}</code>
            ${each.logs && html`<a class="button is-quiet" href=${each.logs} target="_blank" rel="noopener noreferrer" aria-label=${t("deployment.logs_of", { name: each.name })}>${t("deployment.logs")}</a>`}
          </div>
        </li>`,
      )}
    </ul>
  </section>
`;

// the meaning of a setting; one without a text here has the function's English one
function purposeOf({ name, purpose }) {
  const id = `settings.${name.toLowerCase()}`;
  const text = t(id);
  return text === id ? html`<span lang="en" dir="ltr">${purpose}</span>` : text;
}

const inShell = (value) => (/^[\w.:/,@%+-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`);
// in Terraform, "${" and "%{" begin expressions unless their first sign is doubled
const inTerraform = (value) => JSON.stringify(value).replace(/[$%](?=\{)/g, "$&$&");

/** The line that sets a setting: the command of a shell, or a line of terraform.tfvars. */
const lineOf = (name, value, isLocal) => (isLocal ? `${name}=${inShell(value)} make dev` : `${name} = ${inTerraform(value)}`);

function Change({ one, isLocal, close }) {
  const { copy } = usePage();
  const [line, setLine] = useState("");
  const onSend = async (form) => {
    const value = form.get("value").trim();
    const { problem } = await post("/api/deployment/check", { name: one.name, value });
    if (problem) throw new Error(problem);
    setLine(lineOf(one.name, value, isLocal));
  };
  return html`
    <${Dialog} title=${one.name} onClose=${close}>
      ${
        line
          ? html`<p role="status">${t(isLocal ? "deployment.use_local" : "deployment.use")}</p>
              <div class="item-top"><code class="setting-value" dir="ltr">${line}</code><${IconButton} icon="copy" label=${t("deployment.copy")} onClick=${() => copy(line)} /></div>`
          : html`<p class="quiet">${purposeOf(one)}</p>
              <${Form} submit=${t("deployment.check")} onSend=${onSend}><${Field} label=${t("deployment.new_value")} name="value" value=${one.value} dir="ltr" required /><//>`
      }
    <//>
  `;
}

const Setting = ({ one, isLocal }) => html`
  <li>
    <div class="item-top"><code class="item-name">${one.name}</code>${!one.is_default && html`<${Badge} tone="busy">${t("deployment.changed")}<//>`}</div>
    <p><code class="setting-value">${one.value || "–"}</code></p>
    <p class="quiet">${purposeOf(one)}</p>
    ${
      !one.is_given &&
      html`<div class="item-acts">
        <button type="button" class="button is-quiet" aria-label=${t("deployment.change_of", { name: one.name })} onClick=${() => openDialog(({ close }) => html`<${Change} one=${one} isLocal=${isLocal} close=${close} />`)}>${t("deployment.change")}</button>
      </div>`
    }
  </li>
`;

function Settings({ of }) {
  const [shown, setShown] = useState("changed");
  const options = ["changed", "all"].map((value) => ({ value, label: t(`deployment.show_${value}`) }));
  const items = of.settings.filter((one) => shown === "all" || !one.is_default);
  return html`
    <section class="section">
      <h2>${t("deployment.settings")}</h2>
      <p class="quiet">${t(of.is_whole ? "deployment.settings_hint" : "deployment.of_others")}</p>
      ${
        of.is_whole &&
        html`<div class="tools"><${Select} label=${t("deployment.shown")} options=${options} value=${shown} onPick=${setShown} /></div>
          <ul class="items">${items.map((one) => html`<${Setting} key=${one.name} one=${one} isLocal=${of.is_local} />`)}</ul>`
      }
    </section>
  `;
}

function Deployment() {
  const found = useGet("/api/deployment");
  return html`
    <${Head} title=${t("deployment.title")} />
    <div class="view"><${Loaded} of=${found}>${(of) => html`<${Facts} of=${of} /><${Functions} of=${of} /><${Settings} of=${of} />`}<//></div>
  `;
}

export const Component = Deployment;
