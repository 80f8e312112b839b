// What a click does: changes of the state, and calls of the World API whose failure becomes a toast.
import { about, batches } from "./attachments.js";
import { parts } from "./parts.js";
import { change, current } from "./store.js";
import { inspect, world } from "./world.js";
import { withMessage } from "./reduce.js";
import { meetBots } from "./first_visit.js";
import { chatsOf } from "./people.js";
import { remember } from "./memory.js";
import { OVER_CHAT, isOverChat, toHash } from "./route.js";

const WITHOUT_CAPTION = ["video_note", "sticker"];
const PAGE = 60; // messages read at once

export function toast(text) {
  change({ toast: { text, at: Date.now() } });
}

/** Runs `work`; a failure is told in a toast and gives undefined. */
export async function attempt(work) {
  try {
    return await work();
  } catch (problem) {
    toast(problem.message);
    return undefined;
  }
}

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
 * Switch to someone else in a pane. The open chat stays when that person is in it too; else their own chat with the same
 * bot is opened, or their newest.
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

/** A second view beside the first, for another person; the panel makes room for it. */
export function openBeside(id) {
  if (!matchMedia(ROOM_FOR_THREE).matches) change((state) => ({ panel: { ...state.panel, open: false } }));
  change(({ panes }) => ({ panes: [panes[0], panes[0]], active: 1 }));
  return become(id, 1);
}

export function closePane(index) {
  change(({ panes }) => ({ panes: panes.filter((_, at) => at !== index), active: 0 }));
  history.pushState(null, "", toHash(current().panes));
}

// In a narrow window the panel lies over the chat, and is there only while it is asked for.
const drawer = matchMedia("(max-width: 1099px)");

export const panelShown = (state) => state.panel.open && (!drawer.matches || state.sheet === "panel");

// Over the chat, the panel has an entry of its own in the history, so that Back closes it.
function openPanel(part = {}) {
  change((state) => ({ panel: { ...state.panel, open: true, ...part }, sheet: "panel" }));
  if (drawer.matches && !isOverChat()) history.pushState(OVER_CHAT, "");
}

/** Back to the chat, in a narrow window. */
export const leavePanel = () => (isOverChat() ? history.back() : change({ sheet: "chat" }));

export function togglePanel(open = !panelShown(current())) {
  remember("panel", open);
  if (open) openPanel();
  else if (isOverChat()) history.back();
  else change((state) => ({ panel: { ...state.panel, open }, sheet: "chat" }));
}

export const showInPanel = (tab, message = null) => openPanel({ tab, message });

const reading = new Map(); // what is being read, so that nothing is read twice at once

/** Reads a page of messages: the newest, or those before the oldest that is loaded. */
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

/** A text as the messages that it takes, one after the other. Gives what could not be sent: "" if all was. */
export async function sendText(chat, { text, ...message }) {
  const left = parts(text);
  while (left.length && (await send(chat, { ...message, text: left[0] })) !== undefined) {
    left.shift();
    message.reply_to = undefined; // the first of them is the reply
  }
  return left.join("\n");
}

/**
 * Files go as forms, one for each message or album of them; the words are the caption of the first that takes one.
 * Gives what could not be sent: {items, words}.
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

/** Choosing the emoji that is there already takes the reaction back. */
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

/** The state of the model behind the model server of this machine; looked at again, often while it comes or reads. */
export async function watchModel() {
  for (;;) {
    const model = await inspect.model().catch((problem) => ({ state: "unknown", error: problem.message }));
    change({ model });
    const pause = (!model.reading && { ready: 5_000, failed: 5_000, unknown: 15_000 }[model.state]) || 1_000;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

const CANARY_LOOK_MS = 5_000;

/** What became of the newest canary, if it was lost. Where that is not known, what was known is left standing. */
export async function watchCanary() {
  for (;;) {
    const { problem } = await inspect.canary().catch(() => current().canary);
    if (problem !== current().canary.problem) change({ canary: { problem } });
    await new Promise((resolve) => setTimeout(resolve, CANARY_LOOK_MS));
  }
}

const PERSONAS_LOOK_MS = 1_000;

/** What is wrong with a persona that somebody is writing. Where that is not known, what was known is left standing. */
export async function watchPersonas() {
  for (;;) {
    const { problem } = await inspect.personas().catch(() => current().personas);
    const isNew = JSON.stringify(problem) !== JSON.stringify(current().personas.problem);
    if (isNew) change({ personas: { problem } });
    await new Promise((resolve) => setTimeout(resolve, PERSONAS_LOOK_MS));
  }
}
