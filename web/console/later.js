// A view's module is loaded when the view is first opened, so that the page itself is there sooner.
import { html, useEffect, useState } from "../parts/html.js";
import { Loading, Problem } from "../parts/loaded.js";
import { t } from "./words.js";

// without a connection, or after a deployment, which serves only the files of its own version
const Missing = () => html`
  <div class="view"><${Problem} problem=${new Error(t(navigator.onLine ? "told.outdated_page" : "start.check_connection"))} again=${() => location.reload()} /></div>
`;

/** The component that loads a module, and then shows the module's `Component`. */
export function loadedLater(load) {
  let Component = null;
  return function Later(props) {
    const [problem, setProblem] = useState(null);
    const [, redraw] = useState(false);
    useEffect(() => {
      if (Component) return;
      load().then((module) => {
        Component = module.Component;
        redraw(true);
      }, setProblem);
    }, []);
    if (Component) return html`<${Component} ...${props} />`;
    return problem ? html`<${Missing} />` : html`<div class="view"><${Loading} /></div>`;
  };
}
