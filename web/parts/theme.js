// The light or dark theme: the one of the system, until the person chooses the other one.
import { remember, remembered } from "./memory.js";

const system = matchMedia("(prefers-color-scheme: dark)");
const chosen = () => remembered("theme", null);

export const theme = () => chosen() || (system.matches ? "dark" : "light");

export function applyTheme() {
  document.documentElement.dataset.theme = theme();
}

/** Switches to the other theme. If that is the system's theme, the page follows the system again. */
export function switchTheme() {
  const next = theme() === "dark" ? "light" : "dark";
  remember("theme", next === (system.matches ? "dark" : "light") ? null : next);
  applyTheme();
}

system.addEventListener("change", applyTheme);
