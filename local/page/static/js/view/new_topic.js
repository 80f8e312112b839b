import { html } from "/web/parts/html.js";
import { change } from "../store.js";
import { openChat } from "../actions.js";
import { world } from "../world.js";
import { Dialog, closeDialog } from "./dialog.js";
import { Field, Form } from "/web/parts/form.js";

/** Creates a topic in a forum, and opens it. */
export function NewTopic({ chat: key, index }) {
  const make = async (form) => {
    const answer = await world.makeTopic(key, form.get("name").trim());
    if (answer.chat?.key) change((state) => ({ chats: { ...state.chats, [key]: answer.chat } }));
    closeDialog();
    const id = answer.topic?.id ?? answer.id;
    if (id) openChat(key, id, index);
  };
  return html`
    <${Dialog} title="New topic">
      <${Form} submit="Create the topic" onSend=${make}><${Field} label="Name" name="name" required autofocus maxlength="128" /><//>
    <//>
  `;
}
