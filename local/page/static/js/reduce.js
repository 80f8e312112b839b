// Computes how an event of the world changes the state, as a pure function: (state, event) → the fields of the state
// that change.

const placeOf = (event) => `${event.chat}|${event.topic_id ?? ""}|${event.from}`;

const byId = (a, b) => a.message_id - b.message_id;

/**
 * The list with `message` inserted or replaced. The list is ordered by id, since ids grow in the order in which things
 * happen.
 */
export function withMessage(list, message) {
  const others = list.filter((each) => each.message_id !== message.message_id);
  return [...others, message].sort(byId);
}

function changeMessages(state, key, how) {
  return { messages: { ...state.messages, [key]: how(state.messages[key] || []) } };
}

function without(entries, matches) {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => !matches(value)));
}

function message(state, { message }) {
  const sameSender = (entry) =>
    entry.chat === message.chat &&
    entry.from === message.from &&
    (entry.topic_id ?? null) === (message.topic_id ?? null);
  return {
    ...changeMessages(state, message.chat, (list) => withMessage(list, message)),
    typing: without(state.typing, sameSender),
    drafts: without(state.drafts, sameSender),
  };
}

/** An edit or a reaction. The message is ignored if it is older than the loaded messages. */
function changed(state, { message }) {
  const list = state.messages[message.chat] || [];
  const older = list.length > 0 && message.message_id < list[0].message_id;
  return older ? null : changeMessages(state, message.chat, () => withMessage(list, message));
}

function deleted(state, event) {
  return changeMessages(state, event.chat, (list) => list.filter((each) => each.message_id !== event.message_id));
}

function chat(state, { chat }) {
  return { chats: { ...state.chats, [chat.key]: chat } };
}

function typing(state, event) {
  return { typing: { ...state.typing, [placeOf(event)]: event } };
}

function draft(state, event) {
  return { drafts: { ...state.drafts, [`${placeOf(event)}|${event.draft_id}`]: event } };
}

function taken(state, event) {
  const key = `${event.chat}/${event.message_id}`;
  const takers = new Set([...(state.deliveries[key] || []), event.bot_id]);
  return { deliveries: { ...state.deliveries, [key]: [...takers] } };
}

function troubled(state, event, why) {
  const ofChat = { ...state.trouble[event.chat] };
  if (why) ofChat[event.bot_id] = why;
  else delete ofChat[event.bot_id];
  return { trouble: { ...state.trouble, [event.chat]: ofChat } };
}

function delivered(state, event) {
  return { ...(event.message_id ? taken(state, event) : {}), ...troubled(state, event, null) };
}

function undelivered(state, event) {
  return troubled(state, event, { why: event.why, retryIn: event.next_try_in });
}

const rules = {
  message,
  edit: changed,
  reaction: changed,
  delete: deleted,
  chat,
  person: (state, { person }) => ({ people: { ...state.people, [person.id]: person } }),
  bot: (state, { bot }) => ({ bots: { ...state.bots, [bot.id]: bot } }),
  typing,
  draft,
  delivered,
  undelivered,
};

/** The fields of the state that change by `event`. An event of unknown type changes only the position. */
export function reduce(state, event) {
  const rule = rules[event.type];
  return { ...(rule ? rule(state, event) : {}), seq: Math.max(state.seq, event.seq || 0) };
}

/** Removes typing marks and drafts whose time is over. */
export function expire(state, now) {
  const over = (entry) => entry.until <= now;
  const expired = [...Object.values(state.typing), ...Object.values(state.drafts)].some(over);
  return expired ? { typing: without(state.typing, over), drafts: without(state.drafts, over) } : null;
}
