// Starts the console: loads its texts, then its views. Each view is one module in views/, listed in views/index.js.
import { html, render } from "../parts/html.js";
import { applyTheme } from "../parts/theme.js";
import { keepFocus } from "../parts/clicks.js";
import { App } from "./app.js";
import { startKeys } from "./keys.js";
import { phase } from "./session.js";
import { startMiniApp } from "./telegram.js";
import { loadWords, useFirstWords } from "./words.js";

async function begin() {
  try {
    await loadWords();
    phase.set("in");
  } catch {
    phase.set(phase.get() === "out" ? "out" : "failed");
  }
}

useFirstWords();
applyTheme();
startMiniApp();
keepFocus();
startKeys();
render(html`<${App} begin=${begin} />`, document.getElementById("app"));
begin();
