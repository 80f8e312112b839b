// Attaches files in the composer of a chat when they are dropped anywhere on the chat.
import { html, useRef, useState } from "/web/parts/html.js";

export function DropTarget({ onFiles, children }) {
  const [over, setOver] = useState(false);
  const depth = useRef(0); // counted, since a drag that enters a child element leaves its parent
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
