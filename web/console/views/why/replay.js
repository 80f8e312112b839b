// Plans a past turn again, with another persona or model, and shows the new plan beside the old one.
import { html, useEffect, useState } from "../../../parts/html.js";
import { Dialog } from "../../../parts/dialog.js";
import { openDialog } from "../../../parts/dialogs.js";
import { Select, TextArea } from "../../../parts/form.js";
import { Loading, Problem } from "../../../parts/loaded.js";
import { dollars } from "../../../parts/money.js";
import { kindOf, told } from "../../../parts/told.js";
import { post } from "../../api.js";
import { t } from "../../words.js";

const ASK_AFTER_MS = 500;

const Tasks = ({ tasks }) =>
  tasks.length
    ? html`<ul>${tasks.map((task) => html`<li key=${task.id}><b>${kindOf(task.kind)}</b> <span class="item-text" dir="auto">${task.summary}</span></li>`)}</ul>`
    : html`<p class="quiet">${t("why.plan_empty")}</p>`;

/** The plan of an answer that no tick recorded, made from its messages. */
const spoken = (said) => said.map((message) => ({ id: String(message.seq), kind: "send", summary: message.text || message.media }));

const NewPlan = ({ plan }) => html`
  ${plan.failure ? html`<p class="why">${t("why.failure", { why: told(plan.failure) })}</p>` : html`<${Tasks} tasks=${plan.tasks} />`}
  ${plan.uses.length > 0 && html`<p class="quiet">${t("why.tools_called")}: ${plan.uses.join("; ")}</p>`}
  ${plan.notes.length > 0 && html`<ul class="notes">${plan.notes.map((note) => html`<li key=${note}>${told(note)}</li>`)}</ul>`}
  ${plan.cost !== null && html`<p class="quiet">${t("why.booked", { usd: dollars(plan.cost) })}</p>`}
`;

function Settings({ found, chosen, choose, busy, go }) {
  const { models, at_most: atMost, prompt } = found;
  const options = [{ value: "", label: t("why.model_then", { model: prompt.model }) }, ...models.map((value) => ({ value, label: value }))];
  return html`
    <form class="form" onSubmit=${go}>
      <p class="quiet">${t("why.replay_text")}</p>
      <${Select} label=${t("why.model")} value=${chosen.model} options=${options} onPick=${(model) => choose({ ...chosen, model })} />
      <${TextArea} label=${t("why.persona")} hint=${t("why.persona_hint")} rows="10" value=${chosen.persona ?? found.persona} onInput=${(event) => choose({ ...chosen, persona: event.target.value })} />
      <p role="status">${atMost === null ? t("why.at_most_unknown") : t("why.at_most", { usd: dollars(atMost) })} ${t("why.replay_kept")}</p>
      <div class="form-end"><button type="submit" class="button" disabled=${busy}>${t("why.replay_go")}</button></div>
    </form>
  `;
}

function Replay({ path, plan, said, close }) {
  const [found, setFound] = useState(null);
  const [chosen, choose] = useState({ model: "", persona: null });
  const [busy, setBusy] = useState(true);
  const [problem, setProblem] = useState(null);
  const wanted = () => ({ model: chosen.model, persona: chosen.persona !== null && chosen.persona !== found?.persona ? chosen.persona : "" });
  const ask = async (to) => {
    setBusy(true);
    setProblem(null);
    try {
      const answer = await post(to, wanted());
      setFound((before) => ({ ...answer, plan: answer.plan || before?.plan || null }));
    } catch (failure) {
      setProblem(failure);
    }
    setBusy(false);
  };
  useEffect(() => {
    const timer = setTimeout(() => ask(`${path}/replay/cost`), found ? ASK_AFTER_MS : 0);
    return () => clearTimeout(timer);
  }, [chosen.model, chosen.persona]);
  const go = (event) => {
    event.preventDefault();
    ask(`${path}/replay`);
  };
  return html`
    <${Dialog} title=${t("why.replay_title")} wide onClose=${close}>
      ${problem && html`<${Problem} problem=${problem} />`} ${!found && !problem && html`<${Loading} rows=${5} />`}
      ${found && html`<${Settings} found=${found} chosen=${chosen} choose=${choose} busy=${busy} go=${go} />`}
      ${found?.plan && html`<div class="why-beside">
        <section class="why-plan"><h3>${t("why.as_then")}</h3><${Tasks} tasks=${plan?.tasks.length ? plan.tasks : spoken(said)} /></section>
        <section class="why-plan" aria-live="polite"><h3>${t("why.now")}</h3><${NewPlan} plan=${found.plan} /></section>
      </div>`}
    <//>
  `;
}

export const openReplay = ({ path, plan, said }) => openDialog(({ close }) => html`<${Replay} path=${path} plan=${plan} said=${said} close=${close} />`);
