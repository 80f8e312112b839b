import { html } from "./html.js";

/** A state as a word. `tone`: good | busy | bad | warn | calm, the colour that repeats what the word says. */
export const Badge = ({ tone = "calm", title, children }) => html`<span class=${`mark is-${tone}`} title=${title}>${children}</span>`;

/** A count beside a name; shows nothing for 0. `label` says what is counted, for screen readers. */
export const Count = ({ count, label }) =>
  count > 0 && html`<span class="badge"><span aria-hidden="true">${count > 99 ? "99+" : count}</span><span class="hidden">${label || count}</span></span>`;
