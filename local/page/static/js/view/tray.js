// What will be sent with the next message; photos and videos that follow each other make an album.
import { html, useEffect, useMemo, useState } from "../html.js";
import { size } from "../clock.js";
import { Icon, IconButton } from "./icon.js";

const ICONS = { audio: "music", voice: "wave", video: "play", video_note: "round", document: "file", sticker: "sticker", photo: "photo" };
const SHOWN = ["photo", "animation"];
const COVERABLE = ["photo", "video", "animation"];

const isPicture = ({ kind, file }) => SHOWN.includes(kind) || (kind === "sticker" && file.type.startsWith("image/"));

const Plain = ({ item }) => html`
  <span class="thumb-file">
    <${Icon} name=${ICONS[item.kind]} />
    <span class="thumb-name" dir="auto">${item.file.name}</span><small>${size(item.file.size)}</small>
  </span>
`;

function Picture({ item }) {
  const address = useMemo(() => URL.createObjectURL(item.file), [item.file]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  const [broken, setBroken] = useState(false);
  if (broken) return html`<${Plain} item=${item} />`;
  return html`<img class=${item.spoiler ? "is-blurred" : ""} src=${address} alt=${item.file.name} onError=${() => setBroken(true)} />`;
}

function Thumb({ item, onRemove, onCover }) {
  const { name } = item.file;
  return html`
    <li class="thumb">
      <${isPicture(item) ? Picture : Plain} item=${item} />
      ${
        COVERABLE.includes(item.kind) &&
        html`<${IconButton} icon="eye" size=${14} class="cover" pressed=${item.spoiler} label=${`Cover ${name}`} onClick=${onCover} />`
      }
      <${IconButton} icon="close" size=${14} label=${`Leave out ${name}`} onClick=${onRemove} />
    </li>
  `;
}

export function Tray({ files, setFiles }) {
  if (!files.length) return null;
  const remove = (item) => setFiles(files.filter((each) => each !== item));
  const cover = (item) => setFiles(files.map((each) => (each === item ? { ...each, spoiler: !each.spoiler } : each)));
  return html`
    <ul class="tray" aria-label="To send">
      ${files.map((item) => html`<${Thumb} key=${item.file} item=${item} onRemove=${() => remove(item)} onCover=${() => cover(item)} />`)}
    </ul>
  `;
}
