// The head of a view: its title, a line below the title, and its buttons. Each view begins with one.
import { html } from "../parts/html.js";
import { IconButton } from "../parts/icon.js";
import { go } from "./route.js";
import { t } from "./words.js";

/** `title` is a text or an element; `back` is the path to which the back button leads; `actions` are buttons. */
export const Head = ({ title, sub, back, actions, children }) => html`
  <header class="head">
    ${back && html`<${IconButton} icon="back" class="head-back" label=${t("common.back")} onClick=${() => go(back)} />`}
    <div class="head-text"><h1 tabindex="-1">${title}</h1>${sub && html`<p class="head-sub">${sub}</p>`}</div>
    ${actions && html`<div class="head-actions">${actions}</div>`} ${children}
  </header>
`;
