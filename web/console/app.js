// The page: the status line | the side with conversations and navigation | the view that the address names.
import { html, useEffect, useLayoutEffect, useRef } from "../parts/html.js";
import { Dialogs } from "../parts/dialogs.js";
import { InPage } from "../parts/page.js";
import { Toasts } from "../parts/toasts.js";
import { Announcer } from "./announcer.js";
import { Bar } from "./bar.js";
import { Head } from "./head.js";
import { page } from "./page.js";
import { useRoute } from "./route.js";
import { phase } from "./session.js";
import { Side } from "./side.js";
import { Failed, Opening, SignedOut } from "./states.js";
import { StatusLine } from "./status_line.js";
import { showBack } from "./telegram.js";
import { home, restOf, viewOf } from "./views.js";
import { t } from "./words.js";

const NotFound = () => html`<${Head} title=${t("common.no_such_page")} /><div class="view"><p>${t("common.no_such_page_hint")}</p></div>`;

// After a change of the page, the focus moves to its beginning, so that keys and screen readers continue from there.
function useFocus(route, main) {
  const before = useRef(route.path);
  useLayoutEffect(() => {
    if (before.current === route.path) return;
    before.current = route.path;
    const isTyping = document.activeElement?.matches("input, textarea, [role=option], [data-row]") && document.contains(document.activeElement);
    if (!isTyping) (main.current?.querySelector("h1") || main.current)?.focus({ preventScroll: true });
  }, [route.path]);
}

function Shell() {
  const route = useRoute();
  const main = useRef(null);
  const view = viewOf(route.path);
  const rest = restOf(view, route);
  const isList = view === home && !rest.length && Boolean(home?.Side);
  useFocus(route, main);
  useEffect(() => {
    document.title = [view?.title(), "lull"].filter(Boolean).join(" · ");
    showBack(!isList);
  }, [view, isList]);
  const skip = (event) => {
    event.preventDefault();
    main.current.focus();
  };
  const View = view?.Component || NotFound;
  return html`
    <div class=${`console sheet-${isList ? "list" : "view"}${rest.length ? " is-deep" : ""}`}>
      <a class="skip" href="#main" onClick=${skip}>${t("common.skip")}</a>
      <${StatusLine} />
      <${Side} route=${route} view=${view} />
      <main class="main" id="main" tabindex="-1" ref=${main}><${View} key=${view?.name} rest=${rest} query=${route.query} route=${route} /></main>
      <${Bar} view=${view} />
    </div>
  `;
}

const SHOWN = { loading: Opening, out: SignedOut, failed: Failed, in: Shell };

export function App({ begin }) {
  const Shown = SHOWN[phase.use()];
  return html`<${InPage} page=${page}><${Shown} begin=${begin} /><${Dialogs} /><${Toasts} /><${Announcer} /><//>`;
}
