// Places on which files can be dropped: a part of the page, such as a chat, or all of it.
import { html, useEffect, useRef, useState } from "./html.js";
import { t } from "./words.js";

const carries = (event) => [...event.dataTransfer.types].includes("Files");

/** {over, on}: whether files are above the place, and its listeners by the events' names. */
function useDrop(onFiles) {
  const [over, setOver] = useState(false);
  const depth = useRef(0); // counted, since a drag that enters a child element leaves its parent
  const count = (event, step) => {
    if (!carries(event)) return;
    event.preventDefault();
    depth.current += step;
    setOver(depth.current > 0);
  };
  const drop = (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    onFiles(event.dataTransfer.files);
  };
  const on = { dragenter: (event) => count(event, 1), dragleave: (event) => count(event, -1), dragover: (event) => carries(event) && event.preventDefault(), drop };
  return { over, on };
}

const Over = ({ over, ...rest }) => over && html`<div ...${rest} class="drop" aria-hidden="true">${t("parts.drop")}</div>`;

export function DropTarget({ onFiles, children, class: name = "" }) {
  const { over, on } = useDrop(onFiles);
  return html`
    <div class=${name} onDragEnter=${on.dragenter} onDragLeave=${on.dragleave} onDragOver=${on.dragover} onDrop=${on.drop}>
      ${children} <${Over} over=${over} />
    </div>
  `;
}

/** Takes files that are dropped anywhere on the page, as long as it is shown. */
export function PageDropTarget({ onFiles }) {
  const { over, on } = useDrop(onFiles);
  const last = useRef(on);
  last.current = on;
  useEffect(() => {
    const offs = Object.keys(on).map((name) => {
      const heard = (event) => last.current[name](event);
      addEventListener(name, heard);
      return () => removeEventListener(name, heard);
    });
    return () => offs.forEach((off) => off());
  }, []);
  return html`<${Over} over=${over} style=${{ position: "fixed" }} />`;
}
