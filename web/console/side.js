// The side: search, the list of conversations, and the way to everything else.
import { html, useState } from "../parts/html.js";
import { Icon } from "../parts/icon.js";
import { remember, remembered } from "../parts/memory.js";
import { Link, go, withQuery } from "./route.js";
import { OwnMenu } from "./own_menu.js";
import { home, views } from "./views.js";
import { t } from "./words.js";

function Search() {
  const submit = (event) => {
    event.preventDefault();
    const words = new FormData(event.target).get("q").trim();
    go(withQuery("/search", { q: words }));
  };
  return html`
    <form class="side-search" role="search" onSubmit=${submit}>
      <${Icon} name="search" size=${18} />
      <input type="search" name="q" data-search aria-label=${t("common.search_all")} placeholder=${t("common.search")} autocomplete="off" enterkeyhint="search" />
      <kbd aria-hidden="true">/</kbd>
    </form>
  `;
}

/** The links to all views. */
export const ViewLinks = ({ view, onFollow }) => html`
  <ul class="view-links">
    ${views.filter((each) => !each.isHidden).map(
      (each) => html`<li key=${each.name}>
        <${Link} to=${each === home ? "/" : each.path} class="view-link" aria-current=${each === view ? "page" : undefined} onClick=${onFollow}>
          <${Icon} name=${each.icon} size=${18} /><span>${each.title()}</span>
        <//>
      </li>`,
    )}
  </ul>
`;

const ROOMY_PX = 760; // in a lower window the list of conversations needs the room

function Views({ view }) {
  const [open, setOpen] = useState(remembered("console.views", innerHeight >= ROOMY_PX));
  const toggle = () => {
    remember("console.views", !open);
    setOpen(!open);
  };
  return html`
    <nav class="side-views" aria-label=${t("common.views")}>
      <button type="button" class="side-fold" aria-expanded=${open} onClick=${toggle}>
        ${t("common.views")}<span class="caret" aria-hidden="true"></span>
      </button>
      ${open && html`<${ViewLinks} view=${view} />`}
    </nav>
  `;
}

export function Side({ route, view }) {
  const List = home?.Side;
  return html`
    <aside class="side" aria-label=${home?.title()}>
      <div class="side-head">
        <${Link} to="/" class="side-name"><img src=${new URL("./icon.svg", import.meta.url).href} alt="" width="28" height="28" />lull<//>
        <${OwnMenu} />
      </div>
      ${views.some((each) => each.name === "search") && html`<${Search} />`}
      <div class="side-list">${List && html`<${List} route=${route} />`}</div>
      <${Views} view=${view} />
    </aside>
  `;
}
