// The page before its data is there, or without a sign-in. The texts for this are part of the page itself.
import { html } from "../parts/html.js";
import { canSignIn, signIn } from "./session.js";
import { t } from "./words.js";

export const Opening = () => html`
  <main class="waiting" role="status"><span class="pulse" aria-hidden="true"></span><p class="hidden">${t("start.opening")}</p></main>
`;

export const SignedOut = () => html`
  <main class="waiting">
    <h1>${t("start.signed_out")}</h1>
    ${
      canSignIn
        ? html`<p>${t("start.was_signed_out")}</p><button type="button" class="button" onClick=${signIn}>${t("start.sign_in")}</button>`
        : html`<p>${t("start.reopen")}</p>`
    }
  </main>
`;

export const Failed = ({ begin }) => html`
  <main class="waiting" role="alert">
    <h1>${t("start.no_answer")}</h1>
    <p>${t("start.check_connection")}</p>
    <button type="button" class="button" onClick=${begin}>${t("start.try_again")}</button>
  </main>
`;
