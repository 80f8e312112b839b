// Prepares the first visit without questions: a person to play, and a private chat with every bot.
import { change, current } from "./store.js";
import { fromHash, sheetOf } from "./route.js";
import { world } from "./world.js";
import { remembered } from "/web/parts/memory.js";
import { chatsOf, firstAgent } from "./people.js";

const GUESTS = ["Ann", "Ben", "Cleo"];

// Two tabs that are opened at the same time must not both create the first person.
const alone = (work) => (navigator.locks ? navigator.locks.request("lull.first-visit", work) : work());

async function firstPerson() {
  const { people } = await world.all();
  return people[0] || (await makePerson({ first_name: GUESTS[0] }));
}

/** Creates a person, and puts the person into the state at once. */
export async function makePerson(fields) {
  const answer = await world.makePerson(fields);
  const person = answer.person || answer;
  change((state) => ({ people: { ...state.people, [person.id]: person } }));
  return person;
}

/** Creates a chat, and puts the chat into the state at once. */
export async function makeChat(fields) {
  const answer = await world.makeChat(fields);
  const chat = answer.chat || answer;
  change((state) => ({ chats: { ...state.chats, [chat.key]: chat } }));
  return chat;
}

const privateChat = (person, bot) =>
  Object.values(current().chats).find(
    (chat) => chat.type === "private" && chat.person_id === person && chat.bot_id === bot,
  );

/** Creates the missing private chats, so that `person` can write to every bot. */
export async function meetBots(person) {
  for (const bot of Object.values(current().bots)) {
    if (!privateChat(person, bot.id)) await makeChat({ type: "private", person_id: person, bot_id: bot.id });
  }
}

/** Creates a group of three people and the agent. The first of the people is `me`; missing people are created. */
export async function startGroup(me) {
  const { people } = current();
  const others = Object.values(people).filter((person) => person.id !== me);
  const taken = new Set(Object.values(people).map((person) => person.first_name));
  for (const name of GUESTS.filter((each) => !taken.has(each))) {
    if (others.length < 2) others.push(await makePerson({ first_name: name }));
  }
  const members = [current().people[me], ...others.slice(0, 2)];
  const title = members.map((person) => person.first_name).join(", ");
  return makeChat({
    type: "group",
    title,
    members: members.map((person) => person.id),
    bots: [firstAgent(current())].filter(Boolean).map((bot) => bot.id),
    admins: [me],
  });
}

/** Called after each reading of the world: makes sure that the first pane has a person to play. */
export async function settle() {
  if (!Object.keys(current().people).length) {
    const person = await alone(firstPerson);
    change((state) => ({ people: { ...state.people, [person.id]: person } }));
  }
  const { people, chats, panes } = current();
  const wanted = panes[0].me ? panes : fromHash(location.hash);
  const known = wanted
    .filter((pane) => people[pane.me])
    .map((pane) => (chats[pane.chat] ? pane : { ...pane, chat: null, topic: null }));
  const someone = people[remembered("me", null)] || Object.values(people)[0];
  if (panes[0].me === null && known[0]?.chat) change({ sheet: sheetOf(known) });
  change({ panes: known.length ? known : [{ me: someone.id, chat: null, topic: null }], active: 0 });
  for (const pane of current().panes) await meetBots(pane.me);
  openSomething();
}

const WIDE = "(min-width: 720px)";

/** If the window is so wide that list and chat are side by side, shows the newest chat in an empty pane. */
export function openSomething() {
  const { panes } = current();
  const [first, ...others] = panes;
  const chat = chatsOf(current(), first.me)[0];
  if (!first.chat && chat && matchMedia(WIDE).matches) change({ panes: [{ ...first, chat: chat.key }, ...others] });
}
