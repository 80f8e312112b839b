import { html } from "/web/parts/html.js";
import { become } from "../actions.js";
import { makePerson } from "../first_visit.js";
import { Dialog, closeDialog } from "./dialog.js";
import { Field, Form, filled } from "/web/parts/form.js";

/** Creates a person, and switches the pane to that person at once. */
export function NewPerson({ index = 0 }) {
  const make = async (form) => {
    const person = await makePerson(filled(form, ["first_name", "last_name", "username", "language_code"]));
    closeDialog();
    await become(person.id, index);
  };
  return html`
    <${Dialog} title="New person">
      <${Form} submit="Create and become this person" onSend=${make}>
        <${Field} label="First name" name="first_name" required autofocus maxlength="64" />
        <${Field} label="Last name" name="last_name" maxlength="64" />
        <${Field}
          label="Username"
          name="username"
          pattern="[A-Za-z][A-Za-z0-9_]{4,31}"
          hint="At least five letters, digits or _. With one, others can mention this person."
        />
        <${Field}
          label="Language"
          name="language_code"
          pattern="[a-z]{2}(-[A-Za-z]{2,4})?"
          placeholder="en"
          hint="Two letters, such as “en”. Telegram sends this code to bots."
        />
      <//>
    <//>
  `;
}
