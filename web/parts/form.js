// The parts of the small forms in dialogs.
import { html, useId, useState } from "./html.js";

export function Field({ label, hint, ...rest }) {
  const id = useId();
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <input id=${id} type="text" autocomplete="off" ...${rest} aria-describedby=${hint ? `${id}-hint` : undefined} />
      ${hint && html`<small id=${`${id}-hint`}>${hint}</small>`}
    </div>
  `;
}

/** A field of several lines. */
export function TextArea({ label, hint, value, ...rest }) {
  const id = useId();
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <textarea id=${id} dir="auto" ...${rest} value=${value} aria-describedby=${hint ? `${id}-hint` : undefined}></textarea>
      ${hint && html`<small id=${`${id}-hint`}>${hint}</small>`}
    </div>
  `;
}

/** A choice of one: `options` are [{value, label}]; `onPick(value)` gets the chosen one. */
export function Select({ label, hint, options, value, onPick, ...rest }) {
  const id = useId();
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <select id=${id} ...${rest} value=${value} onChange=${(event) => onPick?.(event.target.value)} aria-describedby=${hint ? `${id}-hint` : undefined}>
        ${options.map((each) => html`<option key=${each.value} value=${each.value} selected=${each.value === value}>${each.label}</option>`)}
      </select>
      ${hint && html`<small id=${`${id}-hint`}>${hint}</small>`}
    </div>
  `;
}

/** A switch: on or off. */
export const Check = ({ label, checked, onPick, ...rest }) => html`
  <label class="choice"><input type="checkbox" ...${rest} checked=${checked} onChange=${(event) => onPick?.(event.target.checked)} /><span>${label}</span></label>
`;

/**
 * A form that shows errors, and that cannot be sent again while it is being sent. `onSend` gets the fields as an
 * object.
 */
export function Form({ submit, onSend, children }) {
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const onSubmit = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await onSend(new FormData(event.target));
    } catch (refused) {
      setProblem(refused.message);
      setBusy(false);
    }
  };
  return html`
    <form class="form" onSubmit=${onSubmit}>
      ${children} ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <div class="form-end"><button type="submit" class="button" disabled=${busy}>${submit}</button></div>
    </form>
  `;
}

/** The fields of a form that are not empty. */
export const filled = (form, names) =>
  Object.fromEntries(names.map((name) => [name, (form.get(name) || "").trim()]).filter(([, value]) => value));
