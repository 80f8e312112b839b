// The line at the top: all is well, or the problems with links to them; and whether the page is up to date.
import { html, useEffect } from "../parts/html.js";
import { Icon } from "../parts/icon.js";
import { useGet } from "./api.js";
import { live } from "./live.js";
import { lastLook, problemText } from "./problem.js";
import { Link } from "./route.js";
import { isOnline } from "./session.js";
import { t } from "./words.js";

const EVERY_MS = 10 * 60_000;
// problems arise when something happens; the function reads its ten documents at most twice a minute
const AFTER_MS = 6_000;
const AT_MOST_EVERY_MS = 60_000;

/** Reads "/api/status" again after an event, when the page becomes visible, and otherwise at long intervals. */
function useStatus() {
  const status = useGet("/api/status", { since: lastLook() });
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && status.reload();
    const timer = setInterval(look, EVERY_MS);
    let soon = 0;
    let last = Date.now();
    const lookSoon = () => {
      if (soon) return;
      const pause = Math.max(AFTER_MS, last + AT_MOST_EVERY_MS - Date.now());
      soon = setTimeout(() => {
        soon = 0;
        last = Date.now();
        look();
      }, pause);
    };
    const ends = [live.on("status", look), live.on("conversation", lookSoon), live.on("missed", look)];
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      clearTimeout(soon);
      document.removeEventListener("visibilitychange", look);
      for (const end of ends) end();
    };
  }, []);
  return status;
}

function Health({ status: { data, problem } }) {
  if (!data) return problem ? html`<span class="status-text">${problem.message}</span>` : html`<span class="status-text">…</span>`;
  if (data.is_well) return html`<${Link} to="/trouble" class="status-text"><i class="dot is-ready" aria-hidden="true"></i>${t("common.all_well")}<//>`;
  const [first, ...others] = data.problems;
  return html`
    <${Link} to=${first.path || "/trouble"} class="status-text">
      <${Icon} name="warning" size=${16} /><span class="status-words">${problemText(first)}</span>
      ${others.length > 0 && html`<span class="status-more">${t("common.and_more", { count: others.length })}</span>`}
    <//>
  `;
}

const Paused = () => html`<span class="status-live is-paused"><span>${t("common.paused")} <button type="button" class="link" onClick=${live.resume}>${t("common.go_on")}</button></span></span>`;

const STEP = { live: "common.live", connecting: "common.connecting", away: "common.reconnecting", off: "" };

export function StatusLine() {
  const status = useStatus();
  const online = isOnline.use();
  const connection = online ? live.connection.use() : (live.connection.use(), "away");
  const isBad = !online || Boolean(status.problem) || status.data?.is_well === false;
  return html`
    <div class=${`status${isBad ? " is-bad" : ""}`} role="status">
      ${online ? html`<${Health} status=${status} />` : html`<span class="status-text"><${Icon} name="warning" size=${16} />${t("common.offline")}</span>`}
      ${connection === "paused" ? html`<${Paused} />` : html`<span class=${`status-live is-${connection}`}>${STEP[connection] && t(STEP[connection])}</span>`}
    </div>
  `;
}
