// All parts on one page, for pictures, for axe, and for trying them.
import { html, render, useState } from "/web/parts/html.js";
import { Avatar } from "/web/parts/avatar.js";
import { Badge, Count } from "/web/parts/badge.js";
import { Bubble } from "/web/parts/bubble.js";
import { BarChart, LineChart, Ranking } from "/web/parts/charts.js";
import { confirm, Dialogs } from "/web/parts/dialogs.js";
import { ExchangeView } from "/web/parts/exchange_view.js";
import { Fields } from "/web/parts/fields.js";
import { Check, Field, Form, Select, TextArea } from "/web/parts/form.js";
import { Icon, IconButton } from "/web/parts/icon.js";
import { InlineEdit } from "/web/parts/inline_edit.js";
import { onListKeys } from "/web/parts/list_keys.js";
import { Empty, Loading, Problem } from "/web/parts/loaded.js";
import { MenuButton, MenuItem } from "/web/parts/menu.js";
import { dollars } from "/web/parts/money.js";
import { InPage } from "/web/parts/page.js";
import { PlanGraph } from "/web/parts/plan_graph.js";
import { Step } from "/web/parts/step.js";
import { Tabs } from "/web/parts/tabs.js";
import { Time } from "/web/parts/time.js";
import { toast, Toasts } from "/web/parts/toasts.js";
import { Head } from "/web/console/head.js";
import { page } from "/web/console/page.js";

const HOSTILE = '<img src=x onerror="alert(1)">';
const series = [
  { id: "answer", label: "Answers" },
  { id: "media", label: "Files" },
  { id: "notes", label: "Notes" },
];
const points = Array.from({ length: 30 }, (_, at) => ({
  label: `${at + 1} November`,
  short: `${at + 1}`,
  values: { answer: 0.02 * ((at * 7) % 11), media: 0.01 * ((at * 5) % 7), notes: 0.004 * (at % 3) },
  isForecast: at > 26,
}));
const tasks = [
  { id: "1", kind: "send", state: "done", depends_on: [], summary: "On Friday it rains, Saturday looks better.", tries: 1 },
  { id: "2", kind: "wait", state: "running", depends_on: ["1"], summary: "Wait until the morning.", tries: 0 },
  { id: "3", kind: "remind", state: "planned", depends_on: ["2"], summary: "Good morning! Noon, at the harbour.", tries: 0 },
];
const text = "Saturday looks good: https://example.org\nfor day in week:\n    plan(day)";
const entities = [
  { type: "bold", offset: 0, length: 8 },
  { type: "url", offset: 21, length: 19 },
  { type: "pre", language: "python", offset: 41, length: text.length - 41 },
];
const exchange = {
  request: JSON.stringify({ systemInstruction: { parts: [{ text: "You are lull." }] }, contents: [{ role: "user", parts: [{ text: "Friday or Saturday?" }] }] }),
  response: JSON.stringify({ candidates: [{ content: { parts: [{ text: '{"tasks": []}' }] }, finishReason: "STOP" }] }),
};

function Editable() {
  const [title, setTitle] = useState("A trip to the sea");
  return html`<p><${InlineEdit} value=${title} shown="New conversation" label="Rename the conversation" onSave=${setTitle} /></p>`;
}

function Tabbed() {
  const [chosen, choose] = useState("one");
  return html`<${Tabs} label="Some tabs" tabs=${[{ id: "one", title: "One" }, { id: "two", title: "Two" }, { id: "three", title: "Three" }]} chosen=${chosen} onChoose=${choose}><p>This is ${chosen}.</p><//>`;
}

const asks = () =>
  confirm({ title: "Delete this conversation?", text: "lull forgets it.", lost: ["12 messages", "3 files"], action: "Delete" }).then((isSure) => toast(isSure ? "Deleted" : "Kept", { undo: isSure ? () => toast("Back again") : null }));

const Section = ({ title, children }) => html`<section class="section"><div class="section-head"><h2>${title}</h2></div>${children}</section>`;

const Gallery = () => html`
  <main class="main">
    <${Head} title="Parts" sub="All of them" actions=${html`<${IconButton} icon="refresh" label="Read again" />`} />
    <div class="view">
      <${Section} title="Numbers">
        <dl class="figures"><div><dt>Today</dt><dd>${dollars(0.0213)}</dd></div><div><dt>This month</dt><dd>${dollars(12.5)}<small>of ${dollars(50)}</small></dd></div></dl>
        <${BarChart} label="Costs by day" points=${points} series=${series} format=${dollars} />
        <${LineChart} label="Messages by day" points=${points} series=${series.slice(0, 2)} format=${(value) => value.toFixed(2)} />
        <${Ranking} rows=${[{ id: 1, name: "Ann", value: 3.2, note: "214 messages" }, { id: 2, name: HOSTILE, value: 0.4 }]} format=${dollars} />
      <//>
      <${Section} title="States">
        <p class="item-acts"><${Badge} tone="good">described<//><${Badge} tone="bad">failed<//><${Badge} tone="warn">waiting<//><${Badge} tone="busy">running<//><${Badge}>silent<//><${Count} count=${3} label="3 unread" /></p>
        <p class="meta-line"><${Time} at=${new Date(Date.now() - 130_000).toISOString()} /><${Time} at=${new Date(Date.now() - 86_400_000).toISOString()} /><${Time} at=${new Date(Date.now() + 7_200_000).toISOString()} /></p>
        <${Loading} /><${Problem} problem=${new Error("The database doesn't answer.")} again=${() => toast("Again")} />
        <${Empty} text="Nobody has written yet." />
      <//>
      <${Section} title="Messages">
        <div class="group"><div class="group-picture"><${Avatar} name="Ann Bell" tone=${2} size="s" /></div><div class="group-bubbles">
          <${Bubble} name="Ann" message=${{ message_id: 1, date: 1_760_000_000, edit_date: 1_760_000_100, text, entities, reactions: [{ emoji: "🎉", from: "Ben" }, { emoji: "🎉", from: "Cleo" }] }} />
          <${Bubble} name="Ann" message=${{ message_id: 2, date: 1_760_000_050, text: HOSTILE, reply: { name: HOSTILE, text: HOSTILE }, from_outside: true }} />
        </div></div>
        <div class="group is-mine"><div class="group-bubbles"><${Bubble} mine name="lull" message=${{ message_id: 3, date: 1_760_000_200, text: "Good.", forwarded_from: "Ben" }} /></div></div>
      <//>
      <${Section} title="What lull did">
        <ol class="steps"><${Step} name="Decision" state="done" word="answered"><p>Somebody asked it.</p><//><${Step} name="Plan" state="running" word="at work"><${PlanGraph} tasks=${tasks} /><//></ol>
        <${ExchangeView} exchange=${exchange} /><${Fields} value=${{ query: "tea", days: [1, 2], note: HOSTILE }} />
      <//>
      <${Section} title="Doing">
        <${Editable} /><${Tabbed} />
        <p class="item-acts"><button type="button" class="button" onClick=${asks}>Delete …</button><button type="button" class="button is-quiet">Quiet</button><button type="button" class="button is-quiet is-danger">Block</button>
          <${MenuButton} class="button is-quiet" label="Choose" button=${html`<${Icon} name="more" size=${16} /> Choose`}>${(close) => html`<${MenuItem} onPick=${close}>First<//><${MenuItem} danger onPick=${close}>Second<//>`}<//></p>
        <${Form} submit="Save" onSend=${async (form) => { if (!form.get("limit")) throw new Error("Write a limit."); toast("Saved"); }}>
          <${Field} label="Limit" name="limit" hint="US dollars a day" /><${TextArea} label="Policy" name="policy" />
          <${Select} label="Tier" name="tier" options=${[{ value: "known", label: "Known" }, { value: "stranger", label: "Stranger" }]} value="known" /><${Check} label="Tell me" name="tell" />
        <//>
      <//>
      <${Section} title="A list">
        <ul class="items" onKeyDown=${onListKeys}>${["One", "Two", "Three"].map((name) => html`<li><a data-row href="#/nowhere"><span class="item-name">${name}</span></a></li>`)}</ul>
        <div class="table-scroll"><table><thead><tr><th scope="col">Model</th><th scope="col" class="number">Calls</th></tr></thead><tbody><tr><th scope="row">gemini</th><td class="number">12</td></tr></tbody></table></div>
      <//>
    </div>
  </main>
`;

export const show = () => render(html`<${InPage} page=${page}><${Gallery} /><${Dialogs} /><${Toasts} /><//>`, document.getElementById("app"));
