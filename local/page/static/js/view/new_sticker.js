import { html } from "/web/parts/html.js";
import { change } from "../store.js";
import { world } from "../world.js";
import { Dialog, closeDialog } from "./dialog.js";
import { Field, Form } from "/web/parts/form.js";

const TYPES = ".webp,.png,.tgs,.webm,image/webp,image/png,video/webm";

async function bring(form) {
  if (!form.get("type")) form.delete("type");
  await world.makeSticker(form);
  const { stickers, custom_emoji: customEmoji } = await world.all();
  change({ stickers, customEmoji });
  closeDialog();
}

/** Adds a file to a sticker set, so that it can be sent. */
export const NewSticker = () => html`
  <${Dialog} title="New sticker">
    <${Form} submit="Add it" onSend=${bring}>
      <${Field} label="File" name="sticker" type="file" accept=${TYPES} required autofocus hint="WebP or PNG; TGS or WebM if it moves. At most 512 pixels wide and high." />
      <${Field} label="Emoji" name="emoji" required maxlength="16" placeholder="🙂" hint="What it stands for." />
      <${Field}
        label="Set"
        name="set_name"
        required
        value="Mine_by_lull"
        pattern="[A-Za-z][A-Za-z0-9_]{0,63}"
        hint="Letters, digits and _. It is created if it doesn't exist."
      />
      <label class="check"><input type="checkbox" name="type" value="custom_emoji" /> Custom emoji for use within text (needs a set of its own)</label>
    <//>
  <//>
`;
