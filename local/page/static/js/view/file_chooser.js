// The browser's chooser of files, opened for one kind at a time.
import { html, useRef } from "../html.js";

/** {input, open}: the hidden field, and what opens it. `onFiles` is told the files and as what they are sent; `onLeft` follows in any case. */
export function useFileChooser(onFiles, onLeft) {
  const field = useRef(null);
  const wanted = useRef(null);
  const chosen = (event) => {
    onFiles([...event.target.files], wanted.current || undefined);
    event.target.value = "";
    wanted.current = null;
    onLeft();
  };
  const open = ({ kind, accept, multiple }) => {
    wanted.current = kind;
    Object.assign(field.current, { accept, multiple });
    field.current.click();
  };
  return { input: html`<input ref=${field} type="file" multiple hidden onChange=${chosen} onCancel=${onLeft} />`, open };
}
