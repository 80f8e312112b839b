// The menu of things that can be sent besides text. `onFiles(kind, accept, multiple)` opens the file chooser. If `kind`
// is null, each file's type decides its kind.
import { html } from "/web/parts/html.js";
import { change } from "../store.js";
import { Icon } from "/web/parts/icon.js";
import { MenuButton, MenuItem } from "/web/parts/menu.js";

const FILES = [
  { icon: "photo", label: "Photo or video", kind: null, accept: "image/*,video/*", multiple: true },
  { icon: "file", label: "File", kind: "document", accept: "", multiple: true },
  { icon: "music", label: "Music or sound", kind: "audio", accept: "audio/*", multiple: true },
  { icon: "wave", label: "Voice note from a file", kind: "voice", accept: "audio/*,.ogg,.oga", multiple: false },
  { icon: "round", label: "Round video from a file", kind: "video_note", accept: "video/*", multiple: false },
  { icon: "sticker", label: "Sticker from a file", kind: "sticker", accept: ".webp,.png,.tgs,.webm,image/webp,image/png,video/webm", multiple: false },
];
const FORMS = [
  { icon: "pin", label: "Location", form: "location" },
  { icon: "person", label: "Contact", form: "contact" },
  { icon: "poll", label: "Poll", form: "poll" },
];

export function AttachMenu({ onFiles, onRecord, onDice, place, onSent }) {
  const item = (close, { icon, label }, act) => {
    const pick = () => {
      close();
      act();
    };
    return html`<${MenuItem} key=${label} onPick=${pick}><${Icon} name=${icon} />${label}<//>`;
  };
  const open = (form) => change({ dialog: { kind: form, place, onSent } });
  return html`
    <${MenuButton} class="icon-button" label="Attach" menuClass="attach-menu" button=${html`<${Icon} name="clip" />`}>
      ${(close) => html`
        ${FILES.slice(0, 3).map((each) => item(close, each, () => onFiles(each)))}
        ${item(close, { icon: "mic", label: "Record a voice note" }, onRecord)}
        ${FILES.slice(3).map((each) => item(close, each, () => onFiles(each)))}
        ${FORMS.map((each) => item(close, each, () => open(each.form)))}
        ${item(close, { icon: "dice", label: "Throw a die" }, onDice)}
      `}
    <//>
  `;
}
