// Shows the dialog that is open.
import { html } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { Dialog } from "./dialog.js";
import { ExchangeDialog } from "./exchange_dialog.js";
import { NewGroup } from "./new_group.js";
import { NewPerson } from "./new_person.js";
import { NewSticker } from "./new_sticker.js";
import { NewTopic } from "./new_topic.js";
import { SendContact, SendLocation, SendPoll } from "./send_forms.js";

const Large = ({ src, label }) =>
  html`<${Dialog} title="Photo" wide><img class="large-photo" src=${src} alt=${label} /><//>`;

const KINDS = {
  person: NewPerson,
  group: NewGroup,
  topic: NewTopic,
  sticker: NewSticker,
  photo: Large,
  exchange: ExchangeDialog,
  location: SendLocation,
  contact: SendContact,
  poll: SendPoll,
};

export function Dialogs() {
  const dialog = useStore((state) => state.dialog);
  const View = dialog && KINDS[dialog.kind];
  return View ? html`<${View} key=${dialog.kind} ...${dialog} />` : null;
}
