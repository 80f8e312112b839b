// A call of the model: the exact prompt turn by turn, the reply part by part, and both as JSON.
import { html, useState } from "./html.js";
import { prettyBody } from "./exchange.js";
import { Prompt, Reply } from "./exchange_turns.js";
import { usePage } from "./page.js";
import { Tabs } from "./tabs.js";
import { t } from "./words.js";

function Raw({ exchange }) {
  const { copy } = usePage();
  return ["request", "response"].map(
    (part) => html`
      <section key=${part}>
        <h3 class="raw-head">
          ${t(`parts.${part}`)}
          <button type="button" class="link" onClick=${() => copy(prettyBody(exchange[part]))}>${t("parts.copy")}</button>
        </h3>
        <pre class="raw" tabindex="0">${prettyBody(exchange[part])}</pre>
      </section>
    `,
  );
}

const VIEWS = { prompt: Prompt, reply: Reply, raw: Raw };

/** `exchange`: {request, response, usage}; the bodies are texts as they were sent, of Gemini's or OpenAI's protocol. */
export function ExchangeView({ exchange }) {
  const [chosen, choose] = useState("prompt");
  const Shown = VIEWS[chosen];
  const tabs = Object.keys(VIEWS).map((id) => ({ id, title: t(`parts.view_${id}`) }));
  return html`
    <${Tabs} label=${t("parts.views")} tabs=${tabs} chosen=${chosen} onChoose=${choose}><div class="exchange"><${Shown} exchange=${exchange} /></div><//>
  `;
}
