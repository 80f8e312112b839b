// Starts the page. Everything happens in the same way: an event of the world, or a click, changes the state (store.js),
// and the components in view/ show the new state.
//
//   live.js reads the world and follows its events · reduce.js: state and event → state · actions.js: what clicks do
//   world.js: the World API · inspection.js: what lull did · delivery.js, people.js, …: pure functions
//   web/parts: what the console has as well
import { html, render } from "/web/parts/html.js";
import { InPage } from "/web/parts/page.js";
import { watchCanary, watchModel, watchPersonas } from "./actions.js";
import { live } from "./live.js";
import { followAddress } from "./address.js";
import { keepFocus } from "/web/parts/clicks.js";
import { applyTheme } from "/web/parts/theme.js";
import { restoreDrafts } from "./unsent.js";
import { App } from "./view/app.js";
import { page } from "./view/page.js";

applyTheme();
restoreDrafts();
render(html`<${InPage} page=${page}><${App} /><//>`, document.getElementById("app"));
followAddress();
keepFocus();
watchModel();
watchCanary();
watchPersonas();
live();
