// One step in the history of a message. A word says its state; the colour only repeats it.
import { html } from "./html.js";

export const Step = ({ name, id = name, state, word, children }) => html`
  <li class=${`step is-${state}`} data-step=${id}>
    <h3>${name} <span class=${`state is-${state}`}>${word}</span></h3>
    ${children}
  </li>
`;
