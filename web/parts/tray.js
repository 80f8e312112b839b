// The files that will be sent with the next message. Consecutive photos and videos form an album.
import { html, useEffect, useMemo, useState } from "./html.js";
import { size } from "./clock.js";
import { shownName } from "./file_name.js";
import { Icon, IconButton } from "./icon.js";
import { t } from "./words.js";

const ICONS = { audio: "music", voice: "wave", video: "play", video_note: "round", document: "file", sticker: "sticker", photo: "photo" };
const SHOWN = ["photo", "animation"];
const COVERABLE = ["photo", "video", "animation"];

const isPicture = ({ kind, file }) => SHOWN.includes(kind) || (kind === "sticker" && file.type.startsWith("image/"));

const Plain = ({ item }) => html`
  <span class="thumb-file">
    <${Icon} name=${ICONS[item.kind]} />
    <span class="thumb-name" dir="auto">${shownName(item.file.name)}</span><small>${size(item.file.size)}</small>
  </span>
`;

function Picture({ item, onBroken }) {
  const address = useMemo(() => URL.createObjectURL(item.file), [item.file]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  const [broken, setBroken] = useState(false);
  const failed = () => {
    setBroken(true);
    onBroken();
  };
  if (broken) return html`<${Plain} item=${item} />`;
  return html`<img class=${item.spoiler ? "is-blurred" : ""} src=${address} alt=${shownName(item.file.name)} onError=${failed} />`;
}

function Thumb({ item, onRemove, onCover, onBroken }) {
  const name = shownName(item.file.name);
  return html`
    <li class="thumb">
      <${isPicture(item) ? Picture : Plain} item=${item} onBroken=${onBroken} />
      ${
        onCover &&
        COVERABLE.includes(item.kind) &&
        html`<${IconButton} icon="eye" size=${14} class="cover" pressed=${item.spoiler} label=${t("parts.cover", { name })} onClick=${onCover} />`
      }
      <${IconButton} icon="close" size=${14} label=${t("parts.leave_out", { name })} onClick=${onRemove} />
    </li>
  `;
}

/** `sending`: the number of files that are being sent already; `mayCover`: whether pictures can be covered. */
export function Tray({ files, setFiles, sending = 0, mayCover = false }) {
  const remove = (item) => setFiles(files.filter((each) => each !== item));
  const cover = (item) => setFiles(files.map((each) => (each === item ? { ...each, spoiler: !each.spoiler } : each)));
  // A picture that the browser cannot show cannot be sent as a photo, but as a file.
  const asFile = (item) => item.kind === "photo" && setFiles(files.map((each) => (each === item ? { ...each, kind: "document", spoiler: false } : each)));
  const thumb = (item) => html`
    <${Thumb} key=${item.file} item=${item} onRemove=${() => remove(item)} onCover=${mayCover && (() => cover(item))} onBroken=${() => asFile(item)} />
  `;
  return html`
    ${sending > 0 && html`<p class="sending" role="status">${t("parts.sending_files", { count: sending })}</p>`}
    ${files.length > 0 && html`<ul class="tray" aria-label=${t("parts.to_send")}>${files.map(thumb)}</ul>`}
  `;
}
