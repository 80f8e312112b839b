// A line that only screen readers notice. It makes them read out each new message of an open chat.
import { html, useEffect, useState } from "/web/parts/html.js";
import { announcement } from "../announce.js";

export function Announcer() {
  const [text, setText] = useState("");
  useEffect(() => {
    announcement.say = setText;
  }, []);
  return html`<p class="hidden" role="status" aria-live="polite" data-testid="announcer">${text}</p>`;
}
