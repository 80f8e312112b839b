// The browser's file chooser, opened for one kind of file at a time.
import { html, useRef } from "./html.js";

/**
 * {input, open}: the hidden input element, and a function that opens the chooser. `onFiles` gets the files and the kind
 * as which they are sent. `onLeft` is called afterwards in any case.
 */
export function useFileChooser(onFiles, onLeft) {
  const field = useRef(null);
  const wanted = useRef(null);
  const chosen = (event) => {
    onFiles([...event.target.files], wanted.current || undefined);
    event.target.value = "";
    wanted.current = null;
    onLeft();
  };
  const open = ({ kind, accept, multiple, camera = false }) => {
    wanted.current = kind;
    Object.assign(field.current, { accept, multiple });
    if (camera) field.current.setAttribute("capture", "environment");
    else field.current.removeAttribute("capture");
    field.current.click();
  };
  return { input: html`<input ref=${field} type="file" multiple hidden onChange=${chosen} onCancel=${onLeft} />`, open };
}
