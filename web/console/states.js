// What the page shows while there is nothing else to show. Its words may not be there yet, so these are its own.
import { html } from "../parts/html.js";
import { canSignIn, signIn } from "./session.js";

export const Opening = () => html`
  <main class="waiting" role="status"><span class="pulse" aria-hidden="true"></span><p class="hidden">Opening …</p></main>
`;

export const SignedOut = () => html`
  <main class="waiting">
    <h1>Signed out</h1>
    ${
      canSignIn
        ? html`<p>Your sign-in has ended.</p><button type="button" class="button" onClick=${signIn}>Sign in</button>`
        : html`<p>Close this page and open it again from the bot's menu.</p>`
    }
  </main>
`;

export const Failed = ({ begin }) => html`
  <main class="waiting" role="alert">
    <h1>The console doesn't answer</h1>
    <p>Check the connection, and try again.</p>
    <button type="button" class="button" onClick=${begin}>Try again</button>
  </main>
`;
