// A line that only screen readers see: each new message of an open chat is read out.
import { html, useEffect, useState } from "../html.js";
import { announcement } from "../announce.js";

export function Announcer() {
  const [text, setText] = useState("");
  useEffect(() => {
    announcement.say = setText;
  }, []);
  return html`<p class="hidden" role="status" aria-live="polite" data-testid="announcer">${text}</p>`;
}
