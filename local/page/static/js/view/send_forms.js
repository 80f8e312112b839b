// The small forms of the attach menu: a place, a contact, a poll. A dialog gets `place` (the message without its
// content), and `onSent`, which is called when the message is sent.
import { html, useState } from "/web/parts/html.js";
import { world } from "../world.js";
import { Dialog, closeDialog } from "./dialog.js";
import { Field, Form, filled } from "/web/parts/form.js";

async function sendContent({ place: { chat, ...message }, onSent }, content) {
  await world.send(chat, { ...message, content });
  closeDialog();
  onSent();
}

const NOT_FOUND = "The browser didn't share your location. Allow it in the address bar, or enter the place.";

/** The person's position as the browser reports it. */
function here() {
  return new Promise((resolve, refuse) => {
    if (!navigator.geolocation) refuse(new Error(NOT_FOUND));
    else navigator.geolocation.getCurrentPosition(({ coords }) => resolve(coords), () => refuse(new Error(NOT_FOUND)));
  });
}

export function SendLocation(dialog) {
  const [spot, setSpot] = useState({ latitude: "", longitude: "" });
  const [problem, setProblem] = useState(null);
  const locate = () =>
    here().then(
      ({ latitude, longitude }) => setSpot({ latitude: latitude.toFixed(6), longitude: longitude.toFixed(6) }),
      (refused) => setProblem(refused.message),
    );
  const send = (form) => {
    const location = { latitude: Number(form.get("latitude")), longitude: Number(form.get("longitude")) };
    const { title, address = "" } = filled(form, ["title", "address"]);
    return sendContent(dialog, title ? { venue: { location, title, address } } : { location });
  };
  const field = (label, name, most) =>
    html`<${Field}
      label=${label}
      name=${name}
      type="number"
      step="any"
      min=${-most}
      max=${most}
      required
      value=${spot[name]}
      onInput=${(event) => setSpot({ ...spot, [name]: event.target.value })}
    />`;
  return html`
    <${Dialog} title="Send a location">
      <${Form} submit="Send" onSend=${send}>
        <div class="field-pair">${field("Latitude", "latitude", 90)} ${field("Longitude", "longitude", 180)}</div>
        <p><button type="button" class="link" onClick=${locate}>Where I am now</button></p>
        ${problem && html`<p class="problem" role="alert">${problem}</p>`}
        <${Field} label="Name of the place" name="title" maxlength="100" hint="With a name it is sent as a venue." />
        <${Field} label="Address" name="address" maxlength="200" />
      <//>
    <//>
  `;
}

export function SendContact(dialog) {
  const send = (form) => sendContent(dialog, { contact: filled(form, ["phone_number", "first_name", "last_name"]) });
  return html`
    <${Dialog} title="Send a contact">
      <${Form} submit="Send" onSend=${send}>
        <${Field} label="First name" name="first_name" required autofocus maxlength="64" />
        <${Field} label="Last name" name="last_name" maxlength="64" />
        <${Field} label="Phone number" name="phone_number" type="tel" required maxlength="32" />
      <//>
    <//>
  `;
}

const POLL = { total_voter_count: 0, is_closed: false, is_anonymous: true, type: "regular" };
const CHOICES = { allows_multiple_answers: false, allows_revoting: true, members_only: false };

export function SendPoll(dialog) {
  const send = (form) => {
    const texts = form.getAll("option").map((text) => text.trim()).filter(Boolean);
    const options = texts.map((text, at) => ({ persistent_id: String(at), text, voter_count: 0 }));
    return sendContent(dialog, { poll: { id: String(Date.now()), question: form.get("question"), options, ...POLL, ...CHOICES } });
  };
  return html`
    <${Dialog} title="Send a poll">
      <${Form} submit="Send" onSend=${send}>
        <${Field} label="Question" name="question" required autofocus maxlength="300" />
        ${[1, 2, 3, 4].map((number) => html`<${Field} key=${number} label=${`Answer ${number}`} name="option" required=${number < 3} maxlength="100" />`)}
      <//>
    <//>
  `;
}
