// The states of something that is read: still loading, failed, empty, or there.
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { t } from "./words.js";

export const Loading = ({ rows = 3 }) => html`
  <div class="skeleton" role="status">
    <span class="hidden">${t("parts.loading")}</span>${Array.from({ length: rows }, () => html`<i aria-hidden="true"></i>`)}
  </div>
`;

/** `problem`: an Error whose message is a sentence for the person. */
export const Problem = ({ problem, again }) => html`
  <div class="problem" role="alert">
    <p>${problem.message}</p>${again && html`<button type="button" class="button is-quiet" onClick=${again}>${t("parts.try_again")}</button>`}
  </div>
`;

/** `icon`: of the picture; `children`: what the person can do now, if there is something. */
export const Empty = ({ icon = "bubble", text, children }) => html`
  <div class="nothing"><span class="nothing-picture"><${Icon} name=${icon} size=${28} /></span><p>${text}</p>${children}</div>
`;

/**
 * Shows the state of `of` (from useGet or usePages), or what `children(data)` returns: the data, or for pages the
 * items. `empty` is shown if there are no items, or if `isEmpty(data)`.
 */
export function Loaded({ of, empty, isEmpty = (data) => Array.isArray(data) && !data.length, rows, children }) {
  const data = of.items === undefined ? of.data : of.items;
  if (!data) return of.problem ? html`<${Problem} problem=${of.problem} again=${of.reload} />` : html`<${Loading} rows=${rows} />`;
  return html`
    ${of.problem && html`<${Problem} problem=${of.problem} again=${of.reload} />`}
    ${isEmpty(data) && empty ? empty : children(data)}
    ${of.hasMore && html`<${ShowMore} pages=${of} />`}
  `;
}

/** The button that reads the next page of usePages. */
export const ShowMore = ({ pages, label }) => html`
  <div class="show-more">
    <button type="button" class="button is-quiet" disabled=${pages.busy} onClick=${pages.more}>${pages.busy ? t("parts.loading") : label || t("parts.more_items")}</button>
  </div>
`;
