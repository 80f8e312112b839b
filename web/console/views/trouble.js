// Trouble: the problems, incidents with buttons that solve them, jobs, and a person's data.
import { html, useEffect } from "../../parts/html.js";
import { Empty, Loaded } from "../../parts/loaded.js";
import { Time } from "../../parts/time.js";
import { attempt, toast } from "../../parts/toasts.js";
import { post, useGet, usePages } from "../api.js";
import { Head } from "../head.js";
import { mendText, noteLook, problemText } from "../problem.js";
import { Link } from "../route.js";
import { Incident } from "../trouble/incident.js";
import { Jobs } from "../trouble/jobs.js";
import { PersonData } from "../trouble/person_data.js";
import { Running } from "../trouble/running.js";
import { Work } from "../trouble/work.js";
import { t } from "../words.js";

// the kinds of problems that a sweep solves
const SWEPT = new Set(["unread", "overdue", "files"]);

function Problem({ problem }) {
  const sweep = () =>
    attempt(async () => {
      await post("/api/trouble/jobs/sweep/run");
      toast(t("trouble.started"));
    });
  return html`
    <li>
      <div class="item-top">
        <span class="item-name">${problemText(problem)}</span>${problem.agent && html`<span class="quiet">${problem.agent}</span>`}
        <${Time} at=${problem.since} />
      </div>
      <p dir="auto">${mendText(problem)}</p>
      <div class="item-acts">
        ${SWEPT.has(problem.kind) && html`<button type="button" class="button is-quiet" onClick=${sweep}>${t("trouble.run_now")}</button>`}
        ${problem.path !== "/trouble" && html`<${Link} class="button is-quiet" to=${problem.path}>${t("trouble.show")}<//>`}
      </div>
    </li>
  `;
}

function Now() {
  const status = useGet("/api/status");
  return html`
    <section class="section">
      <h2>${t("trouble.now")}</h2>
      <${Loaded} of=${status} rows=${1}>
        ${(data) =>
          data.is_well
            ? html`<p><i class="dot is-ready" aria-hidden="true"></i> ${t("common.all_well")} <${Time} at=${data.at} /></p>`
            : html`<ul class="items">${data.problems.map((each) => html`<${Problem} key=${`${each.kind} ${each.about}`} problem=${each} />`)}</ul>`}
      <//>
    </section>
  `;
}

function Incidents() {
  const incidents = usePages("/api/trouble/incidents");
  const newest = incidents.items?.[0]?.at;
  useEffect(() => newest && noteLook(newest), [newest]);
  return html`
    <section class="section">
      <h2>${t("trouble.incidents")}</h2>
      <${Loaded} of=${incidents} empty=${html`<${Empty} icon="check" text=${t("trouble.no_incidents")} />`}>
        ${(items) => html`<ul class="items">${items.map((each) => html`<${Incident} key=${each.id} incident=${each} onChange=${incidents.reload} />`)}</ul>`}
      <//>
    </section>
  `;
}

function Trouble({ rest }) {
  if (rest[0] === "person" && rest[1]) return html`<${PersonData} person=${rest[1]} />`;
  return html`
    <${Head} title=${t("trouble.title")} />
    <div class="view"><${Now} /><${Incidents} /><${Work} /><${Running} /><${Jobs} /></div>
  `;
}

export const Component = Trouble;
