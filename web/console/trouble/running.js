// Deletions and exports that are not finished, with their progress.
import { html, useEffect } from "../../parts/html.js";
import { Time } from "../../parts/time.js";
import { useGet } from "../api.js";
import { Link } from "../route.js";
import { language, t } from "../words.js";

const EVERY_MS = 20_000;

const percent = (share) => new Intl.NumberFormat(language(), { style: "percent" }).format(share);

export const Progress = ({ share, label }) => html`
  <span class="progress-bar" role="img" aria-label=${`${label}: ${percent(share)}`}><i style=${{ width: `${Math.round(100 * share)}%` }}></i></span>
`;

/** The progress of a deletion in words and as a bar. */
export const Deletion = ({ deletion }) => html`
  <p class="meta-line">
    <span>${deletion.is_done ? t("person_data.deleted") : t("person_data.deleting", { share: percent(deletion.share) })}</span><${Time} at=${deletion.asked_at} />
    ${deletion.has_refused && html`<span>${t("person_data.archive_refused")}</span>`}
  </p>
  ${!deletion.is_done && html`<${Progress} share=${deletion.share} label=${t("trouble.forget")} />`}
`;

/** The progress of an export in words and as a bar. */
export const Export = ({ export: each }) => html`
  <p class="meta-line">
    <span>${t(`person_data.export_${each.state}`, { done: each.done, total: each.total, parts: each.parts })}</span><${Time} at=${each.asked_at} />
  </p>
  ${each.state === "gathering" && each.total > 0 && html`<${Progress} share=${each.done / each.total} label=${t("trouble.export")} />`}
`;

/** Shows nothing if nothing is running. */
export function Running() {
  const running = useGet("/api/person-data");
  const { deletions = [], exports = [] } = running.data || {};
  const isRunning = deletions.length + exports.length > 0;
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && running.reload();
    const timer = isRunning ? setInterval(look, EVERY_MS) : 0;
    return () => clearInterval(timer);
  }, [isRunning]);
  if (!isRunning) return null;
  const person = (id) => id && html`<${Link} to=${`/trouble/person/${id}`}>${t("person_data.person", { id: String(id) })}<//>`;
  return html`
    <section class="section">
      <h2>${t("trouble.running")}</h2>
      <ul class="items">
        ${deletions.map((each) => html`<li key=${each.id}><div class="item-top"><span class="item-name">${t("trouble.forget")}</span>${person(each.person)}</div><${Deletion} deletion=${each} /></li>`)}
        ${exports.map((each) => html`<li key=${each.person}><div class="item-top"><span class="item-name">${t("trouble.export")}</span>${person(each.person)}</div><${Export} export=${each} /></li>`)}
      </ul>
    </section>
  `;
}
