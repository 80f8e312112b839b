// The buttons below a message of the agent.
import { html, useState } from "../../parts/html.js";
import { t } from "../words.js";

export function Buttons({ message, onPress }) {
  const [pressed, setPressed] = useState("");
  if (!message.buttons?.length || !onPress) return null;
  const press = async (button) => {
    setPressed(button.data);
    await onPress(message.id, button);
    setPressed("");
  };
  return html`
    <p class="talk-buttons" role="group" aria-label=${t("talk.buttons")}>
      ${message.buttons.map((button) => html`<button type="button" class="button is-quiet" key=${button.data} dir="auto" disabled=${Boolean(pressed)} aria-busy=${pressed === button.data} onClick=${() => press(button)}>${button.text}</button>`)}
    </p>
  `;
}
