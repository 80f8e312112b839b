// Dialogs that are opened by a function: `await confirm({…})`, or `openDialog((close) => html`…`)` with any content.
import { html, useLayoutEffect, useRef } from "./html.js";
import { Dialog } from "./dialog.js";
import { observable } from "./observable.js";
import { t } from "./words.js";

const open = observable([]); // the last one is in front

/** Shows `dialog(close)`, a Dialog. `close` closes it. */
export function openDialog(dialog) {
  const entry = { dialog, close: () => open.set((all) => all.filter((each) => each !== entry)) };
  open.set((all) => [...all, entry]);
  return entry.close;
}

/** The place of the dialogs; once in a page. */
export const Dialogs = () => open.use().map((entry, at) => html`<${entry.dialog} key=${at} close=${entry.close} />`);

function Question({ title, text, lost = [], action, isDanger, answer }) {
  const cancel = useRef(null);
  useLayoutEffect(() => cancel.current.focus(), []);
  return html`
    <${Dialog} title=${title} onClose=${() => answer(false)}>
      ${text && html`<p>${text}</p>`}
      ${lost.length > 0 && html`<div class="lost"><p>${t("parts.will_be_lost")}</p><ul>${lost.map((each) => html`<li>${each}</li>`)}</ul></div>`}
      <div class="form-end">
        <button type="button" class="button is-quiet" ref=${cancel} onClick=${() => answer(false)}>${t("parts.cancel")}</button>
        <button type="button" class=${`button${isDanger ? " is-danger" : ""}`} onClick=${() => answer(true)}>${action}</button>
      </div>
    <//>
  `;
}

/**
 * Asks before something is done: `title` is the question, `text` says what will happen, `lost` lists what cannot be
 * brought back, `action` is the button's text. Resolves to true if the person agrees.
 */
export function confirm({ title, text, lost, action, isDanger = Boolean(lost?.length) }) {
  return new Promise((resolve) => {
    const answer = (isYes) => {
      close();
      resolve(isYes);
    };
    const close = openDialog(() => html`<${Question} title=${title} text=${text} lost=${lost} action=${action} isDanger=${isDanger} answer=${answer} />`);
  });
}
