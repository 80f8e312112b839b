// The media editor: the files that people and agents sent, each beside its descriptions by a model and by hand.
import { html } from "../../parts/html.js";
import { confirm } from "../../parts/dialogs.js";
import { Select } from "../../parts/form.js";
import { Empty, Loaded } from "../../parts/loaded.js";
import { attempt, toast } from "../../parts/toasts.js";
import { post, useFoundPages, useGet } from "../api.js";
import { Head } from "../head.js";
import { go, withQuery } from "../route.js";
import { t } from "../words.js";
import { File } from "./media/file.js";

const SHOWN = ["", "described", "curated", "waiting", "failed", "unsupported"];

const choose = (query, name) => (value) => go(withQuery("/media", { ...query, [name]: value, ...(name === "set" && value ? { kind: "" } : {}), ...(name === "kind" && value ? { set: "" } : {}) }), { replace: true });

const choicesOf = (values, label) => values.map((value) => ({ value, label: label(value) }));

function Filters({ query, about, sets }) {
  return html`
    <div class="tools">
      <${Select} label=${t("media.shown")} options=${choicesOf(SHOWN, (value) => t(`media.shown_${value || "all"}`))} value=${query.shown || ""} onPick=${choose(query, "shown")} />
      <${Select} label=${t("media.kind")} options=${choicesOf(["", ...about.kinds], (value) => t(`media.kind_${value || "all"}`))} value=${query.kind || ""} onPick=${choose(query, "kind")} />
      ${sets.length > 0 && html`<${Select} label=${t("media.set")} options=${choicesOf(["", ...sets], (value) => value || t("media.set_all"))} value=${query.set || ""} onPick=${choose(query, "set")} />`}
    </div>
  `;
}

async function clear(agent, reload) {
  const agreed = await confirm({ title: t("media.clear_title"), text: t("media.clear_text"), action: t("media.clear") });
  if (!agreed) return;
  await attempt(async () => {
    const { count } = await post("/api/media/clear", { agent });
    toast(t("media.cleared", { count }));
    reload();
  });
}

const Edits = ({ one, many, reload }) =>
  one.count > 0 &&
  html`<p class="meta-line">
    <span>${many && `${one.agent}: `}${t("media.edits", { count: one.count })}</span>
    <a class="link" href=${`/api/media/export?agent=${encodeURIComponent(one.agent)}`} download>${t("media.export")}</a>
    <button type="button" class="link" onClick=${() => clear(one.agent, reload)}>${t("media.clear_short")}</button>
  </p>`;

const About = ({ about, reload }) => html`
  <section class="section">
    <h2>${t("media.describing")}</h2>
    <p>${about.model ? t("media.budget", { model: about.model, count: about.budget }) : t("media.no_model")} ${about.waiting > 0 && t("media.waiting", { count: about.waiting })}</p>
    ${!about.has_pictures && html`<p class="quiet">${t("media.no_bucket")}</p>`}
    ${about.edits.map((one) => html`<${Edits} key=${one.agent} one=${one} many=${about.edits.length > 1} reload=${reload} />`)}
    <p class="quiet">${t("media.edits_hint")}</p>
  </section>
`;

const onceEach = (items) => [...new Map(items.map((one) => [`${one.agent} ${one.unique_id}`, one])).values()];

function Media({ query }) {
  const about = useGet("/api/media/overview");
  const files = useFoundPages("/api/media", { kind: query.kind, set: query.set, shown: query.shown });
  const items = onceEach(files.items || []);
  const known = new Set([...(about.data?.sets || []), ...items.map((one) => one.set), query.set].filter(Boolean));
  const reload = () => {
    about.reload();
    files.reload();
  };
  return html`
    <${Head} title=${t("media.title")} sub=${t("media.sub")} />
    <div class="view is-wide">
      ${about.data && html`<${About} about=${about.data} reload=${reload} /><${Filters} query=${query} about=${about.data} sets=${[...known].sort()} />`}
      <${Loaded} of=${files} empty=${html`<${Empty} icon="photo" text=${t(query.kind || query.set || query.shown ? "media.none_so" : "media.none")} />`}>
        ${() => html`<ul class="media-files">${items.map((one) => html`<${File} key=${`${one.agent} ${one.unique_id}`} one=${one} hasModel=${Boolean(about.data?.model)} reload=${reload} />`)}</ul>`}
      <//>
    </div>
  `;
}

export const Component = Media;
