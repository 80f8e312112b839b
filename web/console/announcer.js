// A line of text that only screen readers present.
import { html } from "../parts/html.js";
import { observable } from "../parts/observable.js";

const said = observable("");

/** Has screen readers read a text aloud, such as a new message. */
export const announce = (text) => said.set(text);

export const Announcer = () => html`<p class="hidden" role="status" aria-live="polite">${said.use()}</p>`;
