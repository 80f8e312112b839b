// The client of the World API, which executes people's actions. Every failure is an Error whose message is a sentence
// for the person.

async function ask(method, path, body) {
  const form = body instanceof FormData;
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body && !form ? { "content-type": "application/json" } : {},
      body: body === undefined || form ? body : JSON.stringify(body),
    });
  } catch {
    throw new Error("The local Telegram server does not answer. Is make dev still running?");
  }
  const text = await response.text();
  const answer = text && isJson(response) ? JSON.parse(text) : {};
  if (!response.ok) throw new Error(answer.error || `${method} ${path} was answered with ${response.status}.`);
  return answer;
}

const isJson = (response) => (response.headers.get("content-type") || "").includes("json");
const chatPath = (key) => `/world/chats/${encodeURIComponent(key)}`;
const messagePath = (key, id) => `${chatPath(key)}/messages/${id}`;

const query = (values) => {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return given.length ? `?${new URLSearchParams(given)}` : "";
};

export const world = {
  queue: (bot) => ask("GET", `/world/bots/${bot}/queue`),
  all: () => ask("GET", "/world"),
  messages: (key, { before, limit } = {}) => ask("GET", `${chatPath(key)}/messages${query({ before, limit })}`),
  makePerson: (person) => ask("POST", "/world/people", person),
  changePerson: (id, settings) => ask("PATCH", `/world/people/${id}`, settings),
  makeSticker: (form) => ask("POST", "/world/stickers", form),
  openMiniApp: (person, bot) => ask("POST", "/world/mini-app", { person_id: person, bot_id: bot }),
  makeChat: (chat) => ask("POST", "/world/chats", chat),
  makeTopic: (key, name) => ask("POST", `${chatPath(key)}/topics`, { name }),
  addMember: (key, member) => ask("POST", `${chatPath(key)}/members`, member),
  removeMember: (key, id) => ask("DELETE", `${chatPath(key)}/members/${id}`),
  block: (key, blocked) => ask("POST", `${chatPath(key)}/block`, { blocked }),
  migrate: (key) => ask("POST", `${chatPath(key)}/migrate`, {}),
  send: (key, message) => ask("POST", `${chatPath(key)}/messages`, message),
  edit: (key, id, from, text) => ask("PATCH", messagePath(key, id), { from, text }),
  remove: (key, id, from) => ask("DELETE", `${messagePath(key, id)}${query({ from })}`),
  react: (key, id, from, emoji) => ask("POST", `${messagePath(key, id)}/reactions`, { from, emoji }),
  press: (key, id, from, data) => ask("POST", `${messagePath(key, id)}/press`, { from, data }),
};

// If a part of the local cloud does not run, the answer contains a sentence about it, which becomes an Error.
async function look(path) {
  const answer = await ask("GET", path);
  if (answer.unreachable) throw new Error(answer.unreachable);
  return answer;
}

export const inspect = {
  chat: (key, { topic, bot, message }) =>
    look(`/inspect/chats/${encodeURIComponent(key)}${query({ topic, bot, message })}`),
  exchanges: (trace) => look(`/inspect/exchanges${query({ trace })}`),
  model: () => look("/inspect/model"),
  canary: () => look("/inspect/canary"),
  personas: () => look("/inspect/personas"),
};
