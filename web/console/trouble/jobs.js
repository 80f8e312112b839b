// The scheduled jobs with their last and next runs, the last canary, and the archives.
import { html } from "../../parts/html.js";
import { Badge } from "../../parts/badge.js";
import { Loaded } from "../../parts/loaded.js";
import { Time } from "../../parts/time.js";
import { attempt, toast } from "../../parts/toasts.js";
import { told } from "../../parts/told.js";
import { post, useGet } from "../api.js";
import { t } from "../words.js";
import { Waiting } from "./waiting.js";

const LastRun = ({ last, isLate }) =>
  last
    ? html`<${Badge} tone=${last.is_well ? (isLate ? "warn" : "good") : "bad"} title=${told(last.why)}>${t(last.is_well ? (isLate ? "trouble.late" : "trouble.well") : "trouble.failed")}<//> <${Time} at=${last.at} />`
    : html`<span class="quiet">${t("trouble.never")}</span>`;

const SHOWN_RUNS = 3;

const runs = (times) => times.map((at, place) => html`${place > 0 && ", "}<${Time} at=${at} style=${place ? "when" : "relative"} />`);

function Job({ job, onRun }) {
  return html`
    <li>
      <div class="item-top">
        <span class="item-name">${t(`trouble.job_${job.name}`)}</span>
        ${job.may_run_now && html`<span class="item-end"><button type="button" class="button is-quiet" onClick=${() => onRun(job)}>${t("trouble.run_now")}</button></span>`}
      </div>
      <p class="meta-line">
        <span>${t("trouble.last_run")}: <${LastRun} last=${job.last} isLate=${job.is_late} /></span>
        <span>${t("trouble.next_runs")}: ${runs(job.next.slice(0, SHOWN_RUNS))}</span>
        <span>${t("trouble.scheduled", { schedule: job.schedule })}</span>
      </p>
      ${
        job.next.length > SHOWN_RUNS &&
        html`<details><summary>${t("runs.next", { count: job.next.length })}</summary><ol class="runs">${job.next.map((at) => html`<li key=${at}><${Time} at=${at} style="precise" /></li>`)}</ol></details>`
      }
      ${job.last && !job.last.is_well && html`<p class="item-text" dir="auto">${told(job.last.why)}</p>`}
    </li>
  `;
}

function Canary({ canary }) {
  if (!canary) return html`<p class="quiet">${t("trouble.canary_none")}</p>`;
  const failed = canary.steps.filter((step) => !step.is_well);
  return html`
    <p>${failed.length ? html`<${Badge} tone="bad">${t("trouble.failed")}<//>` : html`<${Badge} tone="good">${t("trouble.well")}<//>`} <${Time} at=${canary.at} /></p>
    ${
      failed.length
        ? html`<ul class="items">${failed.map((step) => html`<li key=${`${step.agent} ${step.step}`} dir="auto">${t("trouble.step_failed", { step: [step.agent, told(step.step)].filter(Boolean).join(" · "), said: told(step.said) })}</li>`)}</ul>`
        : html`<p class="quiet">${t("trouble.canary_all", { count: canary.steps.length })}</p>`
    }
  `;
}

const Others = ({ others }) =>
  others.length > 0 &&
  html`<section class="section">
    <h2>${t("trouble.other_jobs")}</h2>
    <ul class="items">
      ${others.map((job) => html`<li key=${job.name}><div class="item-top"><span class="item-name">${told(`job_${job.name}`, {}, job.name)}</span><span class="item-end"><${LastRun} last=${job.last} /></span></div><p class="item-text" dir="auto">${told(job.last.why)}</p></li>`)}
    </ul>
  </section>`;

// the canary's findings about each bot's webhook
function Webhooks({ canary }) {
  const steps = canary ? canary.steps.filter((step) => step.step === "webhook at Telegram") : [];
  if (!steps.length) return null;
  return html`
    <section class="section">
      <h2>${t("trouble.webhooks")}</h2>
      <ul class="items">
        ${steps.map(
          (step) => html`<li key=${step.agent}><div class="item-top"><span class="item-name">${step.agent}</span><${Badge} tone=${step.is_well ? "good" : "bad"}>${t(step.is_well ? "trouble.well" : "trouble.failed")}<//><${Time} at=${canary.at} /></div><p dir="auto">${told(step.said)}</p></li>`,
        )}
      </ul>
    </section>
  `;
}

const Archives = ({ archives }) =>
  archives.length > 0 &&
  html`<section class="section">
    <h2>${t("trouble.archives")}</h2>
    <ul class="items">${archives.map((each) => html`<li key=${each.name}>${t("trouble.archive_to", { name: each.name })} <${Time} at=${each.up_to} style="precise" /></li>`)}</ul>
  </section>`;

export function Jobs() {
  const jobs = useGet("/api/trouble/jobs");
  const run = (job) =>
    attempt(async () => {
      await post(`/api/trouble/jobs/${job.name}/run`);
      toast(t("trouble.started"));
    });
  return html`
    <${Loaded} of=${jobs}>
      ${(data) => html`
        <section class="section">
          <h2>${t("trouble.jobs")}</h2>
          <ul class="items">${data.jobs.map((job) => html`<${Job} key=${job.name} job=${job} onRun=${run} />`)}</ul>
          ${data.sweep_goes_on.length > 0 && html`<p class="quiet">${t("trouble.sweep_goes_on", { kinds: data.sweep_goes_on.map((kind) => told(`sweep_${kind}`, {}, kind)).join(", ") })}</p>`}
        </section>
        <${Waiting} queues=${data.queues} waiting=${data.waiting} /><${Webhooks} canary=${data.canary} />
        <section class="section"><h2>${t("trouble.canary")}</h2><${Canary} canary=${data.canary} /></section>
        <${Others} others=${data.others} /><${Archives} archives=${data.archives} />
      `}
    <//>
  `;
}
