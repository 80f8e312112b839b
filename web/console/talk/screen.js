// The transcript of a web conversation together with its screen: buttons, the draft, and messages that no tick has read.

const agentItem = (message, agent) => ({
  type: "message",
  seq: 0,
  at: message.at,
  id: message.id,
  by: { id: 0, name: agent, is_agent: true, is_bot: true },
  text: message.text,
  entities: message.entities,
  media: message.file ? message.file.kind : "",
  files: [],
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

const ownItem = (message, name) => ({
  ...agentItem({ ...message, entities: [], file: null, buttons: [] }, name),
  by: { id: 1, name, is_agent: false, is_bot: false },
  role: "waiting",
});

const withScreen = (item, shown) => ({ ...item, text: shown.text || item.text, entities: shown.text ? shown.entities : item.entities, choices: [], buttons: shown.buttons });

/** The items of a transcript, with what the screen knows of them and what is not in the transcript, in their order. */
export function joined(items, talk, { agent, owner }) {
  const screen = new Map((talk.screen?.messages || []).map((message) => [message.id, message]));
  const first = items.find((item) => item.at)?.at || "";
  const known = new Set(items.filter((item) => item.type === "message").map((item) => item.id));
  const shown = items.map((item) => (item.type === "message" && screen.has(item.id) ? withScreen(item, screen.get(item.id)) : item));
  const apart = [...screen.values()].filter((message) => !known.has(message.id) && message.at >= first);
  const all = [...shown];
  for (const message of apart) {
    const at = all.findIndex((item) => item.at > message.at);
    all.splice(at < 0 ? all.length : at, 0, agentItem(message, agent));
  }
  const waiting = talk.waiting.filter((message) => !known.has(message.id)).map((message) => ownItem(message, owner));
  const sending = talk.sending.map((message) => ownItem({ ...message, id: message.key }, owner));
  return [...all, ...waiting, ...sending];
}

/** The answer that is being written; null if there is none, or if it was sent already. */
export function draftOf(talk) {
  const draft = talk.screen?.draft;
  if (!draft) return null;
  return talk.screen.messages.some((message) => message.at > draft.at) ? null : draft;
}

/** Whether the agent is at work: it types, holds the chat, or has not read everything yet. */
export const isBusy = (talk) => Boolean(talk.screen?.activity) || talk.isRunning || talk.waiting.length + talk.sending.length > 0;
