// The menu of the kinds of files that can be sent.
import { html } from "../../parts/html.js";
import { Icon } from "../../parts/icon.js";
import { useFileChooser } from "../../parts/file_chooser.js";
import { MenuButton, MenuItem } from "../../parts/menu.js";
import { t } from "../words.js";

const hasCamera = () => matchMedia("(pointer: coarse)").matches;
const ENTRIES = [
  { id: "photo_or_video", icon: "photo", accept: "image/*,video/*", multiple: true },
  { id: "camera", icon: "round", accept: "image/*", multiple: false, camera: true },
  { id: "file", icon: "file", kind: "document", accept: "", multiple: true },
];

/** `onFiles(files, kind)`: files of the kind "document" are sent unchanged. */
export function AttachMenu({ onFiles, onLeft }) {
  const chooser = useFileChooser(onFiles, onLeft);
  const pick = (close, entry) => () => {
    close();
    chooser.open(entry);
  };
  return html`
    ${chooser.input}
    <${MenuButton} class="icon-button" label=${t("files.attach")} menuClass="attach-menu" button=${html`<${Icon} name="clip" />`}>
      ${(close) => ENTRIES.filter((entry) => !entry.camera || hasCamera()).map((entry) => html`<${MenuItem} key=${entry.id} onPick=${pick(close, entry)}><${Icon} name=${entry.icon} />${t(`files.${entry.id}`)}<//>`)}
    <//>
  `;
}
