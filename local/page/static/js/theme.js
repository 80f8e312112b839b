// Light or dark: what the system says, until the person chooses the other one.
import { remember, remembered } from "./memory.js";

const system = matchMedia("(prefers-color-scheme: dark)");
const chosen = () => remembered("theme", null);

export const theme = () => chosen() || (system.matches ? "dark" : "light");

export function applyTheme() {
  document.documentElement.dataset.theme = theme();
}

/** The other theme; choosing what the system says anyway means to follow the system again. */
export function switchTheme() {
  const next = theme() === "dark" ? "light" : "dark";
  remember("theme", next === (system.matches ? "dark" : "light") ? null : next);
  applyTheme();
}

system.addEventListener("change", applyTheme);
