// The views of the console, in the order of the navigation, and which one an address shows.
import { loadedLater } from "./later.js";
import { views as listed } from "./views/index.js";

export const views = listed.map((view) => (view.load ? { ...view, Component: loadedLater(view.load) } : view));

export const home = views[0];

/** The view for a path: the one with the longest path that the given path begins with; the first view for "/". */
export function viewOf(path) {
  if (path === "/") return home;
  const parts = path.split("/").filter(Boolean);
  const special = views.find((view) => view.matches?.(parts)); // its address is below that of another view
  if (special) return special;
  const found = views.filter((view) => path === view.path || path.startsWith(`${view.path}/`));
  return found.sort((a, b) => b.path.length - a.path.length)[0];
}

const depth = (view) => view.path.split("/").filter(Boolean).length;

/** The parts of the address behind the view's own path. */
export const restOf = (view, route) => (view ? route.parts.slice(depth(view)) : []);
