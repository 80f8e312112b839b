// Filters of a list that the owner keeps under a name. They are stored in this browser only.
import { html, useState } from "../parts/html.js";
import { Dialog } from "../parts/dialog.js";
import { openDialog } from "../parts/dialogs.js";
import { Field, Form } from "../parts/form.js";
import { Icon } from "../parts/icon.js";
import { remember, remembered } from "../parts/memory.js";
import { MenuButton, MenuItem } from "../parts/menu.js";
import { toast } from "../parts/toasts.js";
import { t } from "./words.js";

const MOST = 20;
const LONGEST_NAME = 40;

/** The filter without its empty values, as a text that is equal for equal filters. */
const keyOf = (filter) => JSON.stringify(Object.entries(filter).filter(([, value]) => value).sort());

function storedIn(name) {
  const stored = remembered(name, []);
  return Array.isArray(stored) ? stored.filter((one) => typeof one?.name === "string" && one.filter) : [];
}

function askForName(onName) {
  openDialog(({ close }) => {
    const send = (form) => {
      const name = form.get("name").trim();
      if (!name) return;
      onName(name);
      close();
    };
    return html`
      <${Dialog} title=${t("filters.keep")} onClose=${close}>
        <${Form} submit=${t("filters.save")} onSend=${send}>
          <${Field} name="name" label=${t("filters.name")} hint=${t("filters.hint")} maxlength=${LONGEST_NAME} dir="auto" required />
        <//>
      <//>
    `;
  });
}

/** `list` names the list; `current` is its filter, {name: value}; `onOpen(filter)` opens a filter that was kept. */
export function SavedFilters({ list, current, onOpen }) {
  const place = `console.filters.${list}`;
  const [saved, setSaved] = useState(() => storedIn(place));
  const store = (change) => {
    const next = change(storedIn(place)); // another tab may have changed it
    remember(place, next);
    setSaved(next);
  };
  const key = keyOf(current);
  const isFiltered = key !== keyOf({});
  const chosen = saved.find((one) => keyOf(one.filter) === key);
  if (!saved.length && !isFiltered) return null;
  const keep = (name) => {
    store((all) => [...all.filter((one) => one.name !== name), { name, filter: current }].slice(-MOST));
    toast(t("filters.kept"));
  };
  const remove = () => {
    store((all) => all.filter((one) => one.name !== chosen.name));
    toast(t("filters.removed"), { undo: () => store((all) => [...all, chosen].slice(-MOST)) });
  };
  return html`
    <${MenuButton} label=${t("filters.saved")} class="icon-button" align="end" button=${html`<${Icon} name="filter" size=${18} />`}>
      ${(close) => {
        const then = (work) => () => {
          close();
          work();
        };
        return html`
          ${saved.map((one) => html`<${MenuItem} key=${one.name} checked=${one === chosen} onPick=${then(() => onOpen(one.filter))}><bdi>${one.name}</bdi><//>`)}
          ${isFiltered && !chosen && (saved.length < MOST ? html`<${MenuItem} onPick=${then(() => askForName(keep))}>${t("filters.keep")}<//>` : html`<${MenuItem} disabled>${t("filters.full", { most: MOST })}<//>`)}
          ${chosen && html`<${MenuItem} danger onPick=${then(remove)}>${t("filters.remove", { name: chosen.name })}<//>`}
        `;
      }}
    <//>
  `;
}
