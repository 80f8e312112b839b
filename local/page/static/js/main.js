// Starts the page. Everything happens in the same way: an event of the world, or a click, changes the state (store.js),
// and the components in view/ show the new state.
//
//   live.js reads the world and follows its events · reduce.js: state and event → state · actions.js: what clicks do
//   world.js: the World API · inspection.js: what lull did · entities.js, layers.js, delivery.js, …: pure functions
import { html, render } from "./html.js";
import { watchCanary, watchModel, watchPersonas } from "./actions.js";
import { live } from "./live.js";
import { followAddress } from "./address.js";
import { keepFocus } from "./clicks.js";
import { applyTheme } from "./theme.js";
import { restoreDrafts } from "./unsent.js";
import { App } from "./view/app.js";

applyTheme();
restoreDrafts();
render(html`<${App} />`, document.getElementById("app"));
followAddress();
keepFocus();
watchModel();
watchCanary();
watchPersonas();
live();
