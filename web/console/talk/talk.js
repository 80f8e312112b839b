// One web conversation: what its screen shows beside the transcript, and what the page posts to it.
import { useEffect, useRef, useState } from "../../parts/html.js";
import { attempt } from "../../parts/toasts.js";
import { get, post } from "../api.js";
import { live } from "../live.js";
import { nextNumber, setClock } from "./clock.js";

const PAUSE_MS = 120;
const RETRIES_MS = [500, 1500, 4000];

export const apiOf = ({ agent, number }) => `/api/talk/${encodeURIComponent(agent)}/${number}`;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// An answer that did not come is asked for again with the same number, so nothing is stored twice.
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

/**
 * The state of a web conversation: {screen, waiting, sending, conversation, isRunning, send, press}. `place` is
 * {agent, number}; null for none. With `isNew` nothing is stored of it yet, so nothing is read before the first message.
 */
export function useTalk(place, { isNew = false } = {}) {
  const [state, setState] = useState({ screen: null, waiting: [], conversation: "", isRunning: false });
  const [sending, setSending] = useState([]);
  const timer = useRef(null);
  const isStored = useRef(!isNew);
  const address = place && apiOf(place);
  const reload = async () => {
    if (!address || !isStored.current) return;
    const found = await get(address).catch(() => null);
    if (!found) return;
    setClock(found.now);
    setState({ screen: found.screen, waiting: found.waiting, conversation: found.conversation, isRunning: found.is_running });
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
  const send = (text) => {
    const number = nextNumber();
    const item = { key: number, text, at: new Date().toISOString() };
    setSending((now) => [...now, item]);
    return attempt(async () => {
      try {
        await postAgain(`${address}/messages`, { id: number, text });
        isStored.current = true;
        await reload();
        return true;
      } finally {
        setSending((now) => now.filter((each) => each.key !== number));
      }
    });
  };
  const press = (message, button) =>
    attempt(async () => {
      await postAgain(`${address}/presses`, { id: nextNumber(), message, data: button.data });
      await reload();
    });
  return { ...state, sending, send, press, reload };
}
