// Talk: the latest web conversation, or a new one.
import { html, useEffect, useState } from "../../parts/html.js";
import { Empty, Loading, Problem } from "../../parts/loaded.js";
import { remember, remembered } from "../../parts/memory.js";
import { get, useGet } from "../api.js";
import { Head } from "../head.js";
import { live } from "../live.js";
import { go } from "../route.js";
import { useAnswering } from "../talk/answering.js";
import { nextConversation, setClock } from "../talk/clock.js";
import { moveDraft } from "../talk/composer.js";
import { Delivery } from "../talk/delivery.js";
import { TalkEnd } from "../talk/ending.js";
import { joined } from "../talk/screen.js";
import { File } from "../talk/file.js";
import { useTalk } from "../talk/talk.js";
import { t } from "../words.js";

const AGENT = "console.talk.agent";
const placeOf = (conversation) => `/conversations/${encodeURIComponent(conversation)}`;

const Agents = ({ agents, agent, onPick }) =>
  agents.length > 1 &&
  html`<label class="talk-filter"><span class="hidden">${t("talk.agent")}</span>
    <select aria-label=${t("talk.agent")} value=${agent} onChange=${(event) => onPick(event.target.value)}>
      ${agents.map((each) => html`<option key=${each} value=${each} selected=${each === agent}>${each}</option>`)}
    </select>
  </label>`;

/** Goes to a conversation once its transcript can be read, at the latest when the agent is no longer busy. */
function useArrival({ conversation, entries, isRunning }, name) {
  useEffect(() => {
    if (!conversation || !entries) return undefined;
    const arrive = () => {
      moveDraft(name, conversation);
      go(placeOf(conversation), { replace: true });
    };
    if (!isRunning) get(`/api${placeOf(conversation)}`).then(arrive, () => undefined);
    return live.on("conversation", (event) => event.id === conversation && arrive());
  }, [conversation, entries, isRunning]);
}

/** A conversation without messages. Once the agent has read the first one, the transcript is shown instead. */
function Begun({ agent, number, isNew }) {
  const talk = useTalk({ agent, number }, { isNew });
  useEffect(() => {
    live.follow({ talk: `${agent}/${number}` });
    return () => live.follow({});
  }, [agent, number]);
  const name = `${agent}.${number}`;
  useArrival(talk, name);
  const items = joined([], talk, { agent, owner: "", me: 0 });
  const writing = useAnswering(talk, [], 0);
  return html`
    <div class="talk">
      ${!items.length && html`<${Empty} icon="bubble" text=${t("talk.greeting")}><p class="quiet">${t("talk.greeting_hint", { name: agent })}</p><//>`}
      <ol class="talk-items">${items.map((item) => html`<li class=${`talk-entry${item.by.is_agent ? " is-agent" : ""}`} key=${item.id}><article class="talk-bubble"><${Delivery} role=${item.role} />${item.files.map((file) => html`<${File} key=${file.id} file=${file} caption=${item.text} header=${{ agent, chat: name }} />`)}<p dir="auto">${item.text}</p></article></li>`)}</ol>
      <${TalkEnd} talk=${talk} agent=${agent} name=${name} writing=${writing} focus />
    </div>
  `;
}

function New({ start }) {
  const names = start.agents.map((each) => each.agent);
  const [agent, setAgent] = useState(() => (names.includes(remembered(AGENT, "")) ? remembered(AGENT, "") : names[0]));
  const [number, setNumber] = useState(nextConversation);
  const pick = (next) => {
    remember(AGENT, next);
    setAgent(next);
    setNumber(nextConversation());
  };
  return html`
    <${Head} title=${t("talk.new")} back="/" actions=${html`<${Agents} agents=${names} agent=${agent} onPick=${pick} />`} />
    <${Begun} key=${`${agent}.${number}`} agent=${agent} number=${number} isNew />
  `;
}

/** A web conversation that "/new" or its button has just started in place of another. */
const Again = ({ agent, number }) => html`
  <${Head} title=${t("talk.new")} back="/" />
  <${Begun} key=${`${agent}.${number}`} agent=${agent} number=${number} />
`;

/** The last web conversation of all agents; undefined without one. */
export const lastOf = (start) => start?.agents.map((each) => each.last).filter(Boolean).sort((a, b) => b.number - a.number)[0];

function Talk({ rest }) {
  const start = useGet("/api/talk");
  const isNew = rest[0] === "new";
  const last = lastOf(start.data);
  if (start.data) setClock(start.data.now);
  useEffect(() => {
    if (!rest.length && last) go(placeOf(last.conversation), { replace: true });
  }, [rest.length, last?.conversation]);
  if (rest.length === 2) return html`<${Again} agent=${rest[0]} number=${Number(rest[1])} />`;
  if (start.problem) return html`<${Head} title=${t("talk.title")} /><div class="view"><${Problem} problem=${start.problem} again=${start.reload} /></div>`;
  if (!start.data || (!isNew && last)) return html`<${Head} title=${t("talk.title")} /><div class="view"><${Loading} rows=${4} /></div>`;
  return html`<${New} start=${start.data} />`;
}

export const Component = Talk;
