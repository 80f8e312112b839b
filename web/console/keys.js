// Keys of the whole page: "/" searches, Escape goes back, "?" lists the keys.
import { html } from "../parts/html.js";
import { Dialog } from "../parts/dialog.js";
import { openDialog } from "../parts/dialogs.js";
import { currentRoute, go } from "./route.js";
import { t } from "./words.js";

const KEYS = [
  ["/", "common.key_search"],
  ["↑ ↓", "common.key_rows"],
  ["Esc", "common.key_back"],
  ["?", "common.key_help"],
];

export const showKeys = () =>
  openDialog(
    ({ close }) => html`
      <${Dialog} title=${t("common.keys")} onClose=${close}>
        <dl class="keys-list">${KEYS.map(([key, does]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${t(does)}</dd></div>`)}</dl>
      <//>
    `,
  );

const isTyping = (target) => target.matches("input, textarea, select, [contenteditable]");

function search(event) {
  const field = [...document.querySelectorAll("[data-search]")].find((each) => each.offsetParent);
  event.preventDefault();
  if (field) field.focus();
  else go("/search");
}

// One step up: from "/conversations/conv-1" to the list, from anywhere else to the beginning.
function up() {
  const { parts } = currentRoute();
  if (parts.length) go(parts.length > 1 ? `/${parts.slice(0, -1).map(encodeURIComponent).join("/")}` : "/");
}

function onKeyDown(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") {
    if (isTyping(event.target)) event.target.blur();
    else up();
  } else if (isTyping(event.target)) return;
  else if (event.key === "/") search(event);
  else if (event.key === "?") showKeys();
}

export const startKeys = () => addEventListener("keydown", onKeyDown);
