// Starts the page.
import { html, render } from "./html.js";
import { watchModel } from "./actions.js";
import { live } from "./live.js";
import { followAddress } from "./address.js";
import { applyTheme } from "./theme.js";
import { App } from "./view/app.js";

applyTheme();
render(html`<${App} />`, document.getElementById("app"));
followAddress();
watchModel();
live();
