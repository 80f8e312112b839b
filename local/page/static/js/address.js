// Opens the panes that the address names when the person goes back or forward in the browser.
import { change, current } from "./store.js";
import { fromHash, sheetOf } from "./route.js";

export function followAddress() {
  addEventListener("popstate", () => {
    const panes = fromHash(location.hash);
    const { active } = current();
    if (panes.length) change({ panes, active: Math.min(active, panes.length - 1) });
    change((state) => {
      const sheet = sheetOf(panes);
      return { sheet, panel: { ...state.panel, open: state.panel.open || sheet === "panel" } };
    });
  });
}
