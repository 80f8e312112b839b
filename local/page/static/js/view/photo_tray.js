// The pictures that will be sent; several make an album.
import { html, useEffect, useMemo } from "../html.js";
import { IconButton } from "./icon.js";

function Thumb({ file, onRemove }) {
  const address = useMemo(() => URL.createObjectURL(file), [file]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return html`
    <li class="thumb">
      <img src=${address} alt=${file.name} />
      <${IconButton} icon="close" size=${14} label=${`Leave out ${file.name}`} onClick=${onRemove} />
    </li>
  `;
}

export function PhotoTray({ files, setFiles }) {
  if (!files.length) return null;
  const remove = (file) => setFiles(files.filter((each) => each !== file));
  return html`
    <ul class="tray" aria-label="Photos to send">
      ${files.map((file) => html`<${Thumb} key=${file} file=${file} onRemove=${() => remove(file)} />`)}
    </ul>
  `;
}
