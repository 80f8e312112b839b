// Files that are dropped anywhere on a chat go to its composer.
import { html, useRef, useState } from "../html.js";

export function DropTarget({ onFiles, children }) {
  const [over, setOver] = useState(false);
  const depth = useRef(0); // entering a child leaves its parent
  const carries = (event) => [...event.dataTransfer.types].includes("Files");
  const count = (event, step) => {
    if (!carries(event)) return;
    event.preventDefault();
    depth.current += step;
    setOver(depth.current > 0);
  };
  const drop = (event) => {
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    onFiles(event.dataTransfer.files);
  };
  return html`
    <div
      class="pane-body"
      onDragEnter=${(event) => count(event, 1)}
      onDragLeave=${(event) => count(event, -1)}
      onDragOver=${(event) => carries(event) && event.preventDefault()}
      onDrop=${drop}
    >
      ${children} ${over && html`<div class="drop" aria-hidden="true">Drop files to send them</div>`}
    </div>
  `;
}
