// The bar at the bottom of a phone: the most important views, and all others behind "More".
import { html } from "../parts/html.js";
import { Dialog } from "../parts/dialog.js";
import { openDialog } from "../parts/dialogs.js";
import { Icon } from "../parts/icon.js";
import { Link } from "./route.js";
import { ViewLinks } from "./side.js";
import { home, views } from "./views.js";
import { t } from "./words.js";

const IN_BAR = ["conversations", "search", "costs", "trouble"];

export function Bar({ view }) {
  const shown = IN_BAR.map((name) => views.find((each) => each.name === name)).filter(Boolean);
  const more = () =>
    openDialog(({ close }) => html`<${Dialog} title=${t("common.views")} onClose=${close}><nav aria-label=${t("common.views")}><${ViewLinks} view=${view} onFollow=${close} /></nav><//>`);
  return html`
    <nav class="bar" aria-label=${t("common.main_views")}>
      ${shown.map(
        (each) => html`<${Link} key=${each.name} to=${each === home ? "/" : each.path} class="bar-link" aria-current=${each === view ? "page" : undefined}>
          <${Icon} name=${each.icon} /><span>${each.title()}</span>
        <//>`,
      )}
      <button type="button" class="bar-link" aria-haspopup="dialog" data-current=${shown.includes(view) ? undefined : ""} onClick=${more}>
        <${Icon} name="more" /><span>${t("common.more")}</span>
      </button>
    </nav>
  `;
}
