// The state of one web conversation beside its transcript (its screen), and the page's posts to it.
import { useEffect, useRef, useState } from "../../parts/html.js";
import { attempt, toast } from "../../parts/toasts.js";
import { get, post } from "../api.js";
import { live } from "../live.js";
import { messageOf, nextNumber, setClock } from "./clock.js";
import { useOutbox } from "./outbox.js";

const PAUSE_MS = 120;
const RETRIES_MS = [500, 1500, 4000];

export const apiOf = ({ agent, number }) => `/api/talk/${encodeURIComponent(agent)}/${number}`;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// A request without a response is repeated with the same number, so nothing is stored twice.
async function postAgain(path, body) {
  for (const ms of RETRIES_MS) {
    try {
      return await post(path, body);
    } catch (problem) {
      if (problem.status && problem.status < 500) throw problem;
      await pause(ms);
    }
  }
  return post(path, body);
}

const NOTHING = { screen: null, waiting: [], conversation: "", entries: 0, isRunning: false };

/**
 * The stored state of the conversation: {screen, waiting, conversation, entries, isRunning, reload, begin}. `entries` is
 * the number of entries in the transcript.
 */
function useStored(place, address, isNew) {
  const [state, setState] = useState(NOTHING);
  const timer = useRef(null);
  const isStored = useRef(!isNew);
  const reload = async () => {
    if (!address || !isStored.current) return;
    const found = await get(address).catch(() => null);
    if (!found) return;
    setClock(found.now);
    setState({ screen: found.screen, waiting: found.waiting, conversation: found.conversation, entries: found.entries, isRunning: found.is_running });
  };
  const soon = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(reload, PAUSE_MS);
  };
  useEffect(() => {
    reload();
    if (!address) return undefined;
    const isHere = (event) => !event.chat || event.chat.endsWith(`.${place.number}`);
    const offs = [
      live.on("screen", (event) => isHere(event) && soon()),
      live.on("chat", (event) => isHere(event) && soon()),
      live.on("conversation", (event) => (!event.row || isHere(event.row)) && soon()),
      live.on("missed", soon),
    ];
    return () => {
      offs.forEach((off) => off());
      clearTimeout(timer.current);
    };
  }, [address]);
  const begin = () => {
    isStored.current = true;
    return reload();
  };
  return { ...state, reload, begin };
}

/** Changes to messages that the transcript does not contain yet, by message id: {text, edits} and {emoji, given}. */
function useChanges(address, reload) {
  const [changes, setChanges] = useState(() => new Map());
  const change = (id, what) => setChanges((now) => new Map(now).set(id, { ...now.get(id), ...what }));
  const make = (id, what, path, body) => {
    change(id, what);
    return attempt(async () => {
      try {
        await postAgain(`${address}/${path}`, { id: nextNumber(), message: id, ...body });
      } catch (problem) {
        change(id, Object.fromEntries(Object.keys(what).map((name) => [name, undefined])));
        throw problem;
      }
      await reload();
      return true;
    });
  };
  const edit = (item, text) => make(item.id, { text, edits: item.edits.length }, "edits", { text });
  const react = (item, emoji, given) => make(item.id, { emoji, given: given.join(" ") }, "reactions", { emoji });
  return { changes, edit, react };
}

/**
 * The state of a web conversation: {screen, waiting, sending, isAway, refused, changes, conversation, entries, isRunning,
 * send, edit, react, press}. `place` is {agent, number}; null for none. `isNew`: nothing of it is stored yet, so nothing
 * is read before the first message. `refused` is a message that the server refused to store.
 */
export function useTalk(place, { isNew = false } = {}) {
  const address = place && apiOf(place);
  const stored = useStored(place, address, isNew);
  const [refused, setRefused] = useState(null);
  const outbox = useOutbox(address, stored.begin, (item, problem) => {
    setRefused(item);
    toast(problem.message, { isBad: true });
  });
  const { changes, edit, react } = useChanges(address, stored.reload);
  /** `more`: further posted fields; `shown`: further fields of the message that the page shows until a tick reads it. */
  const send = (text, more = {}, shown = {}) => {
    const id = nextNumber();
    outbox.add({ id: messageOf(id, place.number), at: new Date().toISOString(), text, ...shown, body: { id, text, ...more } });
  };
  const press = (message, button) =>
    attempt(async () => {
      await postAgain(`${address}/presses`, { id: nextNumber(), message, data: button.data });
      await stored.reload();
    });
  return { ...stored, address, sending: outbox.items, isAway: outbox.isAway, refused, changes, send, edit, react, press };
}
