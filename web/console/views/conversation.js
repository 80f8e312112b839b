// One conversation: its header with the settings that the owner may change, and its transcript, which is kept up to date.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../parts/html.js";
import { Badge } from "../../parts/badge.js";
import { confirm } from "../../parts/dialogs.js";
import { Icon } from "../../parts/icon.js";
import { InlineEdit } from "../../parts/inline_edit.js";
import { Loading, Problem } from "../../parts/loaded.js";
import { MenuButton, MenuItem } from "../../parts/menu.js";
import { dollars } from "../../parts/money.js";
import { Time } from "../../parts/time.js";
import { attempt, toast } from "../../parts/toasts.js";
import { kindOf, told } from "../../parts/told.js";
import { get, post } from "../api.js";
import { Head } from "../head.js";
import { live } from "../live.js";
import { go } from "../route.js";
import { useAnswering } from "../talk/answering.js";
import { TalkEnd } from "../talk/ending.js";
import { GoOn } from "../talk/go_on.js";
import { jumpTo } from "../talk/jump.js";
import { givenBy, joined } from "../talk/screen.js";
import { useTalk } from "../talk/talk.js";
import { t } from "../words.js";
import { ChannelIcon, nameOf, placeOf } from "./naming.js";
import { tellLooked } from "./looked.js";
import { useMarks } from "./marking.js";
import { Items } from "./transcript.js";

const REFRESH_MS = 250;
const MOST_JUMPS = 20;
const MUTES = ["1h", "8h", "1d", "1w", ""];

const apiOf = (id) => `/api/conversations/${encodeURIComponent(id)}`;

/** `items` updated with `fresh` ones: entries that were in no page are replaced, and changes applied to older items. */
export function merged(items, paged, fresh) {
  const kept = items.filter((item) => item.seq <= paged && !(item.type === "noted" && fresh.some((other) => other.type === "noted" && other.at === item.at)));
  const places = new Map(kept.map((item, at) => [item.type === "message" ? item.id : `at ${at}`, at]));
  const added = [];
  for (const item of fresh) {
    const at = item.type === "edit" || item.type === "reaction" ? places.get(item.id) : undefined;
    if (at === undefined) added.push(item);
    else kept[at] = item.type === "edit" ? edited(kept[at], item) : reacted(kept[at], item);
  }
  return [...kept, ...added];
}

const edited = (message, edit) => ({
  ...message,
  text: edit.text,
  entities: edit.entities,
  edited_at: edit.at,
  edits: [...message.edits, { at: message.edited_at || message.at, text: message.text }],
  decision_after_edit: edit.decision || message.decision_after_edit,
});

const reacted = (message, { by, emojis }) => ({
  ...message,
  reactions: [...message.reactions.filter((each) => each.by?.id !== by?.id), ...emojis.map((emoji) => ({ by, emoji }))],
});

/** Reads a conversation and keeps it up to date: {header, items, next, problem, older, refresh, reload, isGone}. */
function useConversation(id) {
  const [state, setState] = useState(null);
  const [problem, setProblem] = useState(null);
  const [isGone, setGone] = useState(false);
  const paged = useRef(0);
  const timer = useRef(null);
  const reload = async () => {
    setProblem(null);
    try {
      const found = await get(apiOf(id));
      paged.current = found.paged;
      setState(found);
    } catch (failure) {
      setProblem(failure);
    }
  };
  const refresh = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(async () => {
      try {
        const before = paged.current;
        const found = await get(`${apiOf(id)}/entries`, { after: String(before) });
        paged.current = Math.max(found.paged, before);
        setState((now) => now && { ...now, header: found.header, items: merged(now.items, before, found.items) });
      } catch (failure) {
        if (failure.status === 404) setGone(true);
      }
    }, REFRESH_MS);
  };
  const older = async (before = state.next) => {
    const found = await get(`${apiOf(id)}/entries`, { before });
    setState((now) => ({ ...now, items: [...found.items, ...now.items], next: found.next }));
    return found;
  };
  useEffect(() => {
    reload();
    live.follow({ conversation: id });
    const offs = [
      live.on("conversation", (event) => {
        if (event.id !== id) return;
        if (event.kind === "deleted" && !event.row) setGone(true);
        else refresh(); // one without turns is in no list, but can be read
      }),
      live.on("chat", (event) => event.conversation === id && refresh()),
      live.on("missed", refresh),
    ];
    return () => {
      offs.forEach((off) => off());
      live.follow({});
      clearTimeout(timer.current);
    };
  }, [id]);
  return { ...state, problem, isGone, reload, refresh, older };
}

function Abbreviation({ header, onAgain }) {
  const { text, state, at, due, failures } = header.abbreviation;
  const tone = { made: "good", waiting: "busy", failed: "bad", none: "calm" }[state];
  return html`
    <details class="talk-notes">
      <summary>${t("conversation.abbreviation")} <${Badge} tone=${tone}>${t(`conversation.abbreviation_${state}`)}<//></summary>
      ${text ? html`<p dir="auto">${text}</p>` : html`<p class="quiet">${t("conversation.no_abbreviation")}</p>`}
      <p class="meta-line">
        ${at && html`<span>${t("conversation.made_at")} <${Time} at=${at} /></span>`}
        ${due && html`<span>${t("conversation.due")} <${Time} at=${due} /></span>`}
        ${failures > 0 && html`<span>${t("conversation.failures", { count: failures })}</span>`}
      </p>
      <p><button type="button" class="button is-quiet" onClick=${onAgain}>${t("conversation.make_again")}</button> <small class="quiet">${t("conversation.make_again_hint")}</small></p>
    </details>
  `;
}

const modelOf = (header) => header.models.find((each) => each.id === header.model)?.label || header.model;
const FEW_PEOPLE = 4;

/** Who wrote last, and how many others took part. */
function Participants({ header }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? header.participants : header.participants.slice(0, FEW_PEOPLE);
  const others = header.participant_count - shown.length;
  const more = t("common.and_more", { count: others });
  return html`
    ${shown.length > 0 && html`<span dir="auto">${shown.map((each) => each.name).join(", ")}</span>`}
    ${others > 0 && (shown.length < header.participants.length ? html`<button type="button" class="link" aria-expanded="false" onClick=${() => setOpen(true)}>${more}</button>` : html`<span>${shown.length ? more : t("conversation.people", { count: others })}</span>`)}
  `;
}

const Facts = ({ header }) => html`
  <p class="meta-line talk-facts">
    <span>${header.agent}</span>
    <span>${t("conversation.turns", { count: header.turns })}</span>
    ${header.cost !== null && html`<span title=${t("conversations.cost")}>${header.is_cost_partial ? "≥ " : ""}${dollars(header.cost)}</span>`}
    <span>${t("conversation.began")} <${Time} at=${header.created} style="day" /></span>
    ${header.model && html`<span>${t("conversation.model")}: ${modelOf(header)}</span>`}
    <${Participants} header=${header} />
    <span><code class="talk-id">${header.id}</code></span>
  </p>
  ${header.topics.length > 0 && html`<p class="talk-topics">${t("conversation.topics")}: ${header.topics.map((topic) => html`<span class="mark" key=${topic} dir="auto">${topic}</span> `)}</p>`}
`;

/** The unfinished tasks of the agent in this conversation, and the offers that wait for a tap. */
function Pending({ header }) {
  if (!header.pending.length && !header.offers.length) return null;
  return html`
    <section class="talk-pending" aria-label=${t("conversation.pending")}>
      <ul>
        ${header.pending.map((task) => html`<li key=${task.id}><b>${kindOf(task.kind)}</b> <span dir="auto">${task.text}</span> ${task.not_before && html`<${Time} at=${task.not_before} />`} ${task.tries > 0 && html`<span class="quiet">${t("work.tries", { count: task.tries })}</span>`} ${task.why && html`<span class="why" dir="auto">${told(task.why)}</span>`}</li>`)}
        ${header.offers.map((offer) => html`<li key=${offer.id}>${t(offer.acts ? "conversation.offer" : "conversation.asked")}: <span dir="auto">${offer.choices.join(" · ")}</span> <${Time} at=${offer.at} /></li>`)}
      </ul>
    </section>
  `;
}

function Actions({ header, act, onDelete }) {
  const isHere = header.is_current;
  const pickModel = (model) => () => act("model", { model }, t("conversation.model_chosen"));
  return html`
    ${(header.is_running || header.pending.length > 0) && html`<button type="button" class="button is-quiet" onClick=${() => act("stop", {}, t("conversation.stopping"))}><${Icon} name="stop" size=${16} /> ${t("conversation.stop")}</button>`}
    <${MenuButton} label=${t("conversation.actions")} class="icon-button" align="end" button=${html`<${Icon} name="more" size=${20} />`}>
      ${(close) => {
        const then = (work) => () => {
          close();
          work();
        };
        return html`
          ${header.models.length > 1 && html`<div role="group" aria-label=${t("conversation.model")}>
            <p class="menu-title">${t("conversation.model")}</p>
            ${header.models.map((model) => html`<${MenuItem} key=${model.id} checked=${model.id === header.model} onPick=${then(pickModel(model.id))}>${model.label}<//>`)}
          </div>`}
          ${isHere && !header.muted_until && html`<div role="group" aria-label=${t("conversation.mute")}>
            <p class="menu-title">${t("conversation.mute")}</p>
            ${MUTES.map((length) => html`<${MenuItem} key=${length} onPick=${then(() => act("mute", { length }, t("conversation.muted")))}>${t(`conversation.mute_${length || "ever"}`)}<//>`)}
          </div>`}
          ${isHere && header.muted_until && html`<${MenuItem} onPick=${then(() => act("unmute", {}, t("conversation.unmuted")))}>${t("conversation.unmute")}<//>`}
          ${isHere && html`<${MenuItem} onPick=${then(() => act("new", {}, t("conversation.another_begun")))}>${t("conversation.another")}<//>`}
          ${!isHere && html`<${MenuItem} onPick=${then(() => act("resume", {}, t("conversation.resumed")))}>${t("conversation.resume")}<//>`}
          <a role="menuitem" class="menu-item" href=${`${apiOf(header.id)}/transcript.jsonl`} download onClick=${close}>${t("conversation.download")}</a>
          <${MenuItem} danger onPick=${then(onDelete)}>${t("conversation.delete")}<//>
        `;
      }}
    <//>
  `;
}

const Marks = ({ header }) => html`
  <span class="talk-state">
    ${header.is_current && html`<${Badge} tone="good" title=${t("conversation.pinned_hint")}><${Icon} name="pin" size=${12} /> ${t("conversation.pinned")}<//>`}
    ${header.is_running && html`<${Badge} tone="busy">${t("conversation.running")}<//>`}
    ${header.muted_until && html`<${Badge} tone="warn">${t("conversation.is_muted")} <${Time} at=${header.muted_until} /><//>`}
    ${header.trouble && html`<${Badge} tone="bad" title=${told(header.trouble)}>${t("conversation.trouble")}<//>`}
  </span>
`;

/** Loads earlier pages until the entry with this number is there, and scrolls to it. */
function useJump(talk, seq) {
  const jumps = useRef(0);
  useLayoutEffect(() => {
    if (!seq || !talk.items || jumps.current > MOST_JUMPS) return;
    const node = document.getElementById(`entry-${seq}`);
    if (node) {
      jumps.current = MOST_JUMPS + 1;
      node.scrollIntoView({ block: "center" });
      node.classList.add("is-found");
      return;
    }
    jumps.current += 1;
    const first = talk.items.find((item) => item.seq)?.seq || 0;
    if (talk.next && Number(seq) < first) attempt(talk.older);
  }, [talk.items, seq]);
}

/** Keeps the end visible as long as the reader has scrolled to the end. */
function useEnd(items, isJump) {
  const end = useRef(null);
  const wasAtEnd = useRef(true);
  const scroller = () => end.current?.closest(".main");
  useEffect(() => {
    const place = scroller();
    if (!place) return undefined;
    const look = () => {
      wasAtEnd.current = place.scrollHeight - place.scrollTop - place.clientHeight < 120;
    };
    place.addEventListener("scroll", look, { passive: true });
    return () => place.removeEventListener("scroll", look);
  }, [Boolean(items)]);
  useLayoutEffect(() => {
    if (items && wasAtEnd.current && !isJump) scroller()?.scrollTo({ top: scroller().scrollHeight });
  }, [items]);
  return end;
}

/**
 * {isWritten, web, me}: whether the owner can write here, the state of the web conversation, and the owner's id. If the
 * owner begins a new conversation with "/new", the page follows.
 */
function useWriting(header) {
  const isWritten = header.channel === "web" && header.is_current;
  const [me, number] = header.chat.split(".").slice(-2).map(Number);
  const place = useRef(null);
  if (isWritten) place.current = { agent: header.agent, number };
  const web = useTalk(place.current);
  const next = place.current && web.conversation && web.conversation !== header.id ? web.conversation : "";
  useEffect(() => {
    if (!next) return;
    const begun = `/talk/${encodeURIComponent(header.agent)}/${place.current.number}`;
    if (!web.entries || web.isRunning) go(begun);
    else get(apiOf(next)).then(() => go(placeOf(next)), () => go(begun));
  }, [next]);
  return { isWritten, web, me };
}

function Opened({ talk, id, query, focus }) {
  const { header } = talk;
  const marks = useMarks(apiOf(id));
  const { isWritten, web, me } = useWriting(header);
  const items = isWritten ? joined(talk.items, web, { agent: header.agent, owner: header.who, me }) : talk.items;
  const writing = useAnswering(web, items, me);
  const react = (item, emoji) => {
    const given = givenBy(item, me);
    return web.react(item, given.includes(emoji) ? "" : emoji, given);
  };
  const acts = isWritten ? { me, answer: writing.answer, react, press: web.press } : null;
  const jump = (message) => {
    let { next } = talk;
    return jumpTo(message, async () => {
      if (!next) return false;
      next = (await talk.older(next)).next;
      return true;
    });
  };
  const end = useEnd(isWritten ? web.screen && [items, web.screen] : talk.items, Boolean(query.seq));
  useJump(talk, query.seq);
  const isNoted = useRef(false);
  useEffect(() => {
    // the first look is also stored if nothing is unread, since it leaves a record
    if (isNoted.current && !header.unread) return;
    isNoted.current = true;
    post(`${apiOf(id)}/look`, { turn: header.turns }).then(() => tellLooked(id), () => undefined);
  }, [header.turns]);
  const act = (what, body, said) =>
    attempt(async () => {
      await post(`${apiOf(id)}/${what}`, body);
      toast(said);
    });
  const rename = (title) => title && act("rename", { title }, t("conversation.renamed"));
  const again = () =>
    attempt(async () => {
      await post(`${apiOf(id)}/abbreviate`);
      toast(t("conversation.being_made"));
      talk.refresh();
    });
  const remove = async () => {
    const lost = ["messages", "notes", "files", "plans"].map((each) => t(`conversation.lost_${each}`, { count: header.entries }));
    if (header.is_current) lost.push(t("conversation.lost_place"));
    if (!(await confirm({ title: t("conversation.delete_title"), text: t("conversation.delete_text"), lost, action: t("conversation.delete") }))) return;
    if (await attempt(() => post(`${apiOf(id)}/delete`).then(() => true))) {
      toast(t("conversation.deleted"));
      go("/");
    }
  };
  const title = html`<${InlineEdit} value=${header.title || ""} shown=${nameOf(header)} label=${t("conversation.rename")} onSave=${rename} />`;
  const sub = html`<${ChannelIcon} row=${header} size=${14} /> <span dir="auto">${header.who}</span> <${Marks} header=${header} />`;
  return html`
    <${Head} title=${title} sub=${sub} back="/" actions=${html`<${Actions} header=${header} act=${act} onDelete=${remove} />`} />
    <div class="talk">
      <${Facts} header=${header} />
      <${Abbreviation} header=${header} onAgain=${again} />
      ${talk.next && html`<p class="show-more"><button type="button" class="button is-quiet" onClick=${() => attempt(talk.older)}>${t("conversation.older")}</button></p>`}
      <${Items} items=${items} header=${header} marks=${marks} acts=${acts} onJump=${jump} />
      <${Pending} header=${header} />
      ${header.channel === "telegram" && html`<p class="talk-readonly">${t(header.is_current ? "conversation.read_only" : "conversation.left")}</p>`}
      ${isWritten && html`<${TalkEnd} talk=${web} agent=${header.agent} name=${id} writing=${writing} focus=${focus} />`}
      ${!header.is_current && header.kind === "private" && header.tier === "owner" && html`<${GoOn} header=${header} />`}
      <div ref=${end}></div>
    </div>
  `;
}

/** `focus`: whether the field of a web conversation gets the focus on a computer. */
export function Conversation({ id, query, focus = true }) {
  const talk = useConversation(id);
  if (talk.isGone || talk.problem?.status === 404) return html`<${Head} title=${t("conversation.gone")} back="/" /><div class="view"><p>${t("conversation.gone_text")}</p></div>`;
  if (!talk.items) {
    return html`<${Head} title=${t("conversations.title")} back="/" /><div class="view">${talk.problem ? html`<${Problem} problem=${talk.problem} again=${talk.reload} />` : html`<${Loading} rows=${8} />`}</div>`;
  }
  return html`<${Opened} talk=${talk} id=${id} query=${query} focus=${focus} />`;
}
