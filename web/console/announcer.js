// A line that only screen readers notice.
import { html } from "../parts/html.js";
import { observable } from "../parts/observable.js";

const said = observable("");

/** Makes screen readers say a text, such as a new message. */
export const announce = (text) => said.set(text);

export const Announcer = () => html`<p class="hidden" role="status" aria-live="polite">${said.use()}</p>`;
