// The route: a path and a query in the fragment of the address, such as "/#/costs?by=day". Fragments are never sent to
// the server, so no log contains them.
import { html, useLayoutEffect, useState } from "../parts/html.js";

const listeners = new Set();

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** {path: "/costs/2026-11", parts: ["costs", "2026-11"], query: {by: "day"}}. */
export function currentRoute() {
  const [path, query] = location.hash.replace(/^#/, "").split(/\?(.*)/s);
  const parts = path.split("/").filter(Boolean).map(decoded);
  return { path: `/${parts.map(encodeURIComponent).join("/")}`, parts, query: Object.fromEntries(new URLSearchParams(query || "")) };
}

/** The path with a query; values that are empty are left out. */
export function withQuery(path, query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}

const tell = () => {
  for (const listener of [...listeners]) listener();
};

/** Goes to a path, such as "/costs?by=day". `replace`: without a new entry in the browser's history. */
export function go(path, { replace = false } = {}) {
  if (`#${path}` === location.hash) return;
  history[replace ? "replaceState" : "pushState"](null, "", `#${path}`);
  tell();
}

export function useRoute() {
  const [route, setRoute] = useState(currentRoute);
  useLayoutEffect(() => {
    const read = () => setRoute(currentRoute());
    listeners.add(read);
    return () => listeners.delete(read);
  }, []);
  return route;
}

addEventListener("popstate", tell);

/** A link to a path of the console. */
export const Link = ({ to, children, ...rest }) => html`<a ...${rest} href=${`#${to}`}>${children}</a>`;
