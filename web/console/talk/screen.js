// The transcript of a web conversation together with its screen: buttons, the draft, and messages that no tick has read.
import { beganAt } from "./clock.js";

/** A file that the agent sent, before the transcript has its details. */
const fileOnScreen = ({ kind, id, mime_type }) => ({ kind, id, mime_type, size: 0, width: 0, height: 0, seconds: 0, emoji: "", words: "", is_spoiler: false, description: null, isNew: true });

const agentItem = (message, agent) => ({
  type: "message",
  seq: 0,
  at: message.at,
  id: message.id,
  by: { id: 0, name: agent, is_agent: true, is_bot: true },
  text: message.text,
  entities: message.entities,
  media: message.file ? message.file.kind : "",
  files: message.file?.id ? [fileOnScreen(message.file)] : [],
  reply: null,
  forwarded_from: "",
  role: "lull",
  turn: 0,
  plan: "",
  decision: null,
  usage: null,
  looked_up: [],
  choices: [],
  later: [],
  holds_outside: false,
  edits: [],
  reactions: [],
  buttons: message.buttons,
});

const ownItem = (message, { owner, me }, role) => ({
  ...agentItem({ ...message, entities: [], file: null, buttons: [] }, owner),
  media: message.media || "",
  files: (message.files || []).map((file) => ({ ...file, isNew: true })),
  by: { id: me, name: owner, is_agent: false, is_bot: false },
  reply: message.reply || null,
  role,
});

/** The emojis with which `me` has reacted to a message. */
export const givenBy = (item, me) => item.reactions.filter((each) => each.by?.id === me).map((each) => each.emoji);

/** The message with the owner's changes that the transcript does not contain yet. */
function withChanges(item, change, { owner, me }) {
  if (!change) return item;
  const given = givenBy(item, me);
  const isReacted = change.emoji !== undefined && given.join(" ") === change.given;
  const isEdited = change.text !== undefined && item.edits.length === change.edits;
  const own = change.emoji ? [{ by: { id: me, name: owner }, emoji: change.emoji }] : [];
  return {
    ...item,
    ...(isEdited ? { text: change.text, entities: [], isSaving: change.text !== item.text } : {}),
    ...(isReacted ? { reactions: [...item.reactions.filter((each) => each.by?.id !== me), ...own] } : {}),
  };
}

const withFile = (files, file) => (file?.id ? [{ ...(files[0] || fileOnScreen(file)), id: file.id, mime_type: file.mime_type }, ...files.slice(1)] : files);

const withScreen = (item, shown) => ({ ...item, files: withFile(item.files, shown.file), text: shown.text || item.text, entities: shown.text ? shown.entities : item.entities, choices: [], buttons: shown.buttons });

/** The items of a transcript, completed from the screen, and the messages that only the screen has, in order. */
export function joined(items, talk, { agent, owner, me }) {
  const screen = new Map((talk.screen?.messages || []).map((message) => [message.id, message]));
  const first = items.find((item) => item.at)?.at || beganAt(talk.conversation);
  const known = new Set(items.filter((item) => item.type === "message").map((item) => item.id));
  const shown = items.map((item) => (item.type === "message" && screen.has(item.id) ? withScreen(item, screen.get(item.id)) : item));
  const apart = [...screen.values()].filter((message) => !known.has(message.id) && message.at >= first);
  const all = [...shown];
  for (const message of apart) {
    const at = all.findIndex((item) => item.at > message.at);
    all.splice(at < 0 ? all.length : at, 0, agentItem(message, agent));
  }
  const waiting = talk.waiting.filter((message) => !known.has(message.id));
  const seen = new Set([...known, ...waiting.map((message) => message.id)]);
  const sending = talk.sending.filter((message) => !seen.has(message.id));
  const own = [
    ...waiting.map((message) => ownItem(message, { owner, me }, "waiting")),
    ...sending.map((message) => ownItem(message, { owner, me }, talk.isAway ? "away" : "sending")),
  ];
  return [...all, ...own].map((item) => (item.type === "message" ? withChanges(item, talk.changes.get(item.id), { owner, me }) : item));
}

/** The unfinished answer; null if there is none, or if it has been sent. */
export function draftOf(talk) {
  const draft = talk.screen?.draft;
  if (!draft) return null;
  return talk.screen.messages.some((message) => message.at > draft.at) ? null : draft;
}

/** Whether the agent is busy: it types, a tick holds the chat, or there are unread messages. */
export const isBusy = (talk) => Boolean(talk.screen?.activity) || talk.isRunning || talk.waiting.length > 0 || (talk.sending.length > 0 && !talk.isAway);
