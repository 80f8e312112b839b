// The effects of clicks: changes of the state, and calls of the World API. If a call fails, a toast reports it.
import { about, batches } from "./attachments.js";
import { parts } from "./parts.js";
import { change, current } from "./store.js";
import { inspect, world } from "./world.js";
import { withMessage } from "./reduce.js";
import { meetBots } from "./first_visit.js";
import { chatsOf, firstAgent } from "./people.js";
import { remember } from "/web/parts/memory.js";
import { OVER_CHAT, isOverChat, toHash } from "./route.js";
import { attempt, toast } from "/web/parts/toasts.js";

const WITHOUT_CAPTION = ["video_note", "sticker"];
const PAGE = 60; // number of messages that are read at once

export { attempt, toast };

function setPane(index, pane) {
  change(({ panes }) => ({
    panes: panes.map((each, at) => (at === index ? { ...each, ...pane } : each)),
    active: index,
  }));
  const { panes } = current();
  if (pane.me) remember("me", panes[0].me);
  const hash = toHash(panes);
  if (location.hash !== hash) history.pushState(null, "", hash);
}

export function openChat(key, topic = null, index = current().active) {
  setPane(index, { chat: key, topic });
  change((state) => ({ sheet: "chat", panel: { ...state.panel, message: null } }));
}

/**
 * Switch to another person in a pane. If that person is in the open chat too, the chat stays open. Otherwise the
 * person's own chat with the same bot is opened, or else the person's newest chat.
 */
export async function become(id, index = current().active) {
  await attempt(() => meetBots(id));
  const { panes, chats } = current();
  const { chat: open, topic } = panes[index];
  const theirs = chatsOf(current(), id);
  const same = theirs.find((chat) => chat.key === open);
  const twin = theirs.find((chat) => chat.type === "private" && chat.bot_id === chats[open]?.bot_id);
  setPane(index, { me: id, chat: (same || twin || theirs[0])?.key ?? null, topic: same ? topic : null });
}

const ROOM_FOR_THREE = "(min-width: 1600px)";

/** Opens a second pane beside the first, for another person. The side panel is closed unless all fit. */
export function openBeside(id) {
  if (!matchMedia(ROOM_FOR_THREE).matches) change((state) => ({ panel: { ...state.panel, open: false } }));
  change(({ panes }) => ({ panes: [panes[0], panes[0]], active: 1 }));
  return become(id, 1);
}

export function closePane(index) {
  change(({ panes }) => ({ panes: panes.filter((_, at) => at !== index), active: 0 }));
  history.pushState(null, "", toHash(current().panes));
}

// In a narrow window the panel covers the chat, so it is shown only while somebody wants to see it.
const drawer = matchMedia("(max-width: 1099px)");

export const panelShown = (state) => state.panel.open && (!drawer.matches || state.sheet === "panel");

// A panel that covers the chat has its own entry in the browser's history, so that Back closes it.
function openPanel(part = {}) {
  change((state) => ({ panel: { ...state.panel, open: true, ...part }, sheet: "panel" }));
  if (drawer.matches && !isOverChat()) history.pushState(OVER_CHAT, "");
}

/** In a narrow window, goes from the panel back to the chat. */
export const leavePanel = () => (isOverChat() ? history.back() : change({ sheet: "chat" }));

export function togglePanel(open = !panelShown(current())) {
  remember("panel", open);
  if (open) openPanel();
  else if (isOverChat()) history.back();
  else change((state) => ({ panel: { ...state.panel, open }, sheet: "chat" }));
}

export const showInPanel = (tab, message = null) => openPanel({ tab, message });

const reading = new Map(); // the requests that are running, so that nothing is read twice at the same time

/** Reads a page of messages: the newest ones, or those before the oldest loaded message. */
export function loadMessages(key, before) {
  const page = `${key}/${before ?? ""}`;
  if (!reading.has(page))
    reading.set(
      page,
      readPage(key, before).finally(() => reading.delete(page)),
    );
  return reading.get(page);
}

async function readPage(key, before) {
  const answer = await attempt(() => world.messages(key, { before, limit: PAGE }));
  if (!answer) return;
  const read = answer.messages.filter((message) => !message.deleted);
  change((state) => ({
    messages: { ...state.messages, [key]: read.reduce(withMessage, state.messages[key] || []) },
    complete: { ...state.complete, [key]: answer.messages.length < PAGE },
  }));
}

export const loadOlder = (key) => loadMessages(key, current().messages[key]?.[0]?.message_id);

/** Opens the console in a new tab, as a Mini App of the agent whose chat is open, or else of the first agent. */
export const openConsole = (me) =>
  attempt(async () => {
    const { panes, active, chats } = current();
    const bot = chats[panes[active].chat]?.bot_id ?? firstAgent(current()).id;
    const { url } = await world.openMiniApp(me, bot);
    window.open(url, "_blank", "noopener");
  });

async function form(message, items) {
  const made = new FormData();
  const fields = { ...message, about: JSON.stringify(await Promise.all(items.map(about))) };
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null && value !== "") made.append(name, value);
  }
  for (const { kind, file } of items) made.append(kind, file, file.name);
  return made;
}

export const send = (chat, message) => attempt(() => world.send(chat, message));

/**
 * Sends a text, as several messages if it is long. Returns the part of the text that could not be sent, "" if
 * everything was sent.
 */
export async function sendText(chat, { text, ...message }) {
  const left = parts(text);
  while (left.length && (await send(chat, { ...message, text: left[0] })) !== undefined) {
    left.shift();
    message.reply_to = undefined; // only the first message is the reply
  }
  return left.join("\n");
}

/**
 * Sends files as forms, one for each message or album. The words become the caption of the first file that can have
 * one. Returns {items, words}: what could not be sent.
 */
export async function sendFiles(chat, message, items) {
  const { text, ...rest } = message;
  const left = { items, words: text };
  await attempt(async () => {
    for (const batch of batches(items)) {
      const caption = WITHOUT_CAPTION.includes(batch[0].kind) ? "" : left.words;
      await world.send(chat, await form({ ...rest, caption }, batch));
      left.items = left.items.filter((item) => !batch.includes(item));
      if (caption) left.words = "";
    }
    if (left.words) left.words = await sendText(chat, { ...rest, text: left.words });
  });
  return left;
}

export const edit = (message, from, text) => attempt(() => world.edit(message.chat, message.message_id, from, text));
export const remove = (message, from) => attempt(() => world.remove(message.chat, message.message_id, from));
export const press = (message, from, data) => attempt(() => world.press(message.chat, message.message_id, from, data));

export const settle = (person, settings) => attempt(() => world.changePerson(person, settings));

export const setBlocked = (chat, blocked) => attempt(() => world.block(chat.key, blocked));

/** Sets a reaction. Choosing the same emoji again removes the reaction. */
export function react(message, from, emoji) {
  const has = (message.reactions || []).some((each) => each.from === from && each.emoji === emoji);
  return attempt(() => world.react(message.chat, message.message_id, from, has ? null : emoji));
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied");
  } catch {
    toast("The browser did not allow copying.");
  }
}

/**
 * Reads the state of the local model regularly, and often while the model is downloaded, starts or reads its
 * instructions.
 */
export async function watchModel() {
  for (;;) {
    const model = await inspect.model().catch((problem) => ({ state: "unknown", error: problem.message }));
    change({ model });
    const pause = (!model.reading && { ready: 5_000, failed: 5_000, unknown: 15_000 }[model.state]) || 1_000;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

const CANARY_LOOK_MS = 5_000;

/**
 * Reads whether the newest canary (a test message through lull) was lost. If this is not known, the earlier result
 * stays.
 */
export async function watchCanary() {
  for (;;) {
    const { problem } = await inspect.canary().catch(() => current().canary);
    if (problem !== current().canary.problem) change({ canary: { problem } });
    await new Promise((resolve) => setTimeout(resolve, CANARY_LOOK_MS));
  }
}

const PERSONAS_LOOK_MS = 1_000;

/** Reads which error a persona has that somebody is writing. If this is not known, the earlier result stays. */
export async function watchPersonas() {
  for (;;) {
    const { problem } = await inspect.personas().catch(() => current().personas);
    const isNew = JSON.stringify(problem) !== JSON.stringify(current().personas.problem);
    if (isNew) change({ personas: { problem } });
    await new Promise((resolve) => setTimeout(resolve, PERSONAS_LOOK_MS));
  }
}
