// Continues an earlier conversation of the owner in the console.
import { html, useState } from "../../parts/html.js";
import { attempt, toast } from "../../parts/toasts.js";
import { get, post } from "../api.js";
import { t } from "../words.js";
import { nextConversation } from "./clock.js";
import { apiOf } from "./talk.js";

const TRIES = 30;
const PAUSE_MS = 400;

export function GoOn({ header }) {
  const [busy, setBusy] = useState(false);
  const goOn = () =>
    attempt(async () => {
      setBusy(true);
      const address = apiOf({ agent: header.agent, number: nextConversation() });
      await post(`${address}/go-on`, { conversation: header.id });
      for (let tries = 0; tries < TRIES; tries += 1) {
        await new Promise((done) => setTimeout(done, PAUSE_MS));
        if ((await get(address)).conversation === header.id) return toast(t("talk.gone_on"));
      }
      return toast(t("talk.not_gone_on"), { isBad: true });
    }).finally(() => setBusy(false));
  return html`
    <p class="talk-go-on"><button type="button" class="button" disabled=${busy} aria-busy=${busy} onClick=${goOn}>${t("talk.go_on")}</button> <small class="quiet">${t("talk.go_on_hint", { name: header.agent })}</small></p>
  `;
}
