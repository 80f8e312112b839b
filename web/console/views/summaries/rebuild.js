// The rebuild of data that is derived from transcripts: its cost before it starts, and its progress while it runs.
import { html, useEffect, useState } from "../../../parts/html.js";
import { Badge } from "../../../parts/badge.js";
import { confirm } from "../../../parts/dialogs.js";
import { dollars } from "../../../parts/money.js";
import { Time } from "../../../parts/time.js";
import { attempt, toast } from "../../../parts/toasts.js";
import { get, post, useGet } from "../../api.js";
import { t } from "../../words.js";

const LOOK_AGAIN_MS = 5_000;

const priceOf = (usd) => (usd === null ? t("summaries.unknown_price") : dollars(usd));
const sumOf = (costs) => (costs.noting === null || costs.embedding === null ? null : costs.storing + costs.noting + costs.embedding);

function Running({ one, reload }) {
  const stop = async () => {
    const agreed = await confirm({ title: t("summaries.stop_title"), text: t("summaries.stop_text"), action: t("summaries.stop"), isDanger: true });
    if (agreed) await attempt(async () => (await post("/api/rebuild/stop"), reload()));
  };
  const resume = () => attempt(async () => (await post("/api/rebuild/resume"), toast(t("summaries.resumed")), reload()));
  return html`
    <p class="meta-line">
      <${Badge} tone=${one.is_stalled ? "warn" : "busy"}>${t(one.is_stalled ? "summaries.stalled" : "summaries.running")}<//>
      <span>${t("summaries.begun")} <${Time} at=${one.started_at} /></span>
      <span>${t("summaries.moved")} <${Time} at=${one.moved_at} /></span>
    </p>
    <progress class="progress" max=${Math.max(one.total, one.done, 1)} value=${one.done} aria-label=${t("summaries.progress")}></progress>
    <p>${one.total ? t("summaries.done_of", { done: one.done, total: one.total }) : t("summaries.done", { count: one.done })}</p>
    ${
      one.is_yours &&
      html`<div class="item-acts">
        ${one.is_stalled && html`<button type="button" class="button" onClick=${resume}>${t("summaries.resume")}</button>`}
        <button type="button" class="button is-quiet" onClick=${stop}>${t("summaries.stop")}</button>
      </div>`
    }
  `;
}

function Choices({ size, reload }) {
  const start = async (withModel) => {
    const costs = withModel ? size.with_model : size.without_model;
    const agreed = await confirm({
      title: t("summaries.start_title"),
      text: t(withModel ? "summaries.start_text_models" : "summaries.start_text", { usd: priceOf(sumOf(costs)), count: size.conversations }),
      action: t("summaries.start"),
    });
    if (agreed) await attempt(async () => (await post("/api/rebuild/start", { with_model: withModel }), reload()));
  };
  const { with_model: whole, without_model: index } = size;
  return html`
    <dl class="facts">
      <dt>${t("summaries.conversations")}</dt><dd>${size.conversations}</dd>
      <dt>${t("summaries.entries")}</dt><dd>${size.entries}</dd>
      <dt>${t("summaries.cost_storing")}</dt><dd>${dollars(whole.storing)}</dd>
      <dt>${t("summaries.cost_noting")}</dt><dd>${priceOf(whole.noting)}</dd>
      <dt>${t("summaries.cost_embedding")}</dt><dd>${priceOf(whole.embedding)}</dd>
    </dl>
    ${size.sized < size.conversations && html`<p class="quiet">${t("summaries.sized", { number: size.sized })}</p>`}
    <div class="item-acts">
      <button type="button" class="button" onClick=${() => start(true)}>${t("summaries.rebuild_all", { usd: priceOf(sumOf(whole)) })}</button>
      <button type="button" class="button is-quiet" onClick=${() => start(false)}>${t("summaries.rebuild_index", { usd: priceOf(sumOf(index)) })}</button>
    </div>
  `;
}

export function Rebuild() {
  const status = useGet("/api/rebuild");
  const [size, setSize] = useState(null);
  const [busy, setBusy] = useState(false);
  const running = status.data?.running;
  useEffect(() => {
    if (!running || running.is_stalled) return undefined;
    const timer = setInterval(() => document.visibilityState === "visible" && status.reload(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [Boolean(running), running?.is_stalled]);
  const estimate = () => {
    setBusy(true);
    return attempt(async () => setSize(await get("/api/rebuild/size"))).finally(() => setBusy(false));
  };
  return html`
    <section class="section">
      <h2>${t("summaries.rebuild")}</h2>
      <p class="quiet">${t("summaries.rebuild_hint")}</p>
      ${status.problem && html`<p class="problem" role="alert">${status.problem.message}</p>`}
      ${running && html`<${Running} one=${running} reload=${status.reload} />`}
      ${status.data && !running && (size ? html`<${Choices} size=${size} reload=${status.reload} />` : html`<div class="item-acts"><button type="button" class="button is-quiet" disabled=${busy} onClick=${estimate}>${t("summaries.estimate")}</button></div>`)}
    </section>
  `;
}
