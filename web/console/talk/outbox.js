// Messages that the owner sent and the server has not stored yet. This browser keeps them until then, and posts them in
// order; without a network they wait. A message keeps its number, so that it is stored once.
import { useEffect, useRef, useState } from "../../parts/html.js";
import { forget, remember, remembered } from "../../parts/memory.js";
import { post } from "../api.js";
import { live } from "../live.js";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
const SLOW_MS = 8_000;
const LATER = [408, 429];
const isRefusal = ({ status }) => status >= 400 && status < 500 && !LATER.includes(status);

/**
 * {items, isAway, add}: the messages in order, and whether they wait for the network. `address` is the conversation's
 * path; `onStored` is awaited before a message leaves the outbox; `onRefused` gets a message and the problem.
 */
export function useOutbox(address, onStored, onRefused) {
  const name = `console.outbox.${address}`;
  const [items, setItems] = useState([]);
  const [isAway, setAway] = useState(false);
  const queue = useRef([]);
  const state = useRef({ isRunning: false, pause: FIRST_PAUSE_MS, timer: null });
  const keep = (next) => {
    queue.current = next;
    setItems(next);
    if (next.length) remember(name, next);
    else forget(name);
  };
  const leave = (item) => keep(queue.current.filter((each) => each.body.id !== item.body.id));
  const again = () => {
    setAway(true);
    state.current.timer = setTimeout(run, state.current.pause);
    state.current.pause = Math.min(2 * state.current.pause, LONGEST_PAUSE_MS);
  };
  const store = async (item) => {
    const slow = setTimeout(() => setAway(true), SLOW_MS);
    try {
      await post(`${address}/messages`, item.body).finally(() => clearTimeout(slow));
    } catch (problem) {
      if (!isRefusal(problem)) return false;
      leave(item);
      onRefused(item, problem);
      return true;
    }
    state.current.pause = FIRST_PAUSE_MS;
    setAway(false);
    await onStored();
    leave(item);
    return true;
  };
  const run = async () => {
    clearTimeout(state.current.timer);
    if (state.current.isRunning) return;
    state.current.isRunning = true;
    let isStored = true;
    while (isStored && queue.current.length) isStored = await store(queue.current[0]);
    state.current.isRunning = false;
    if (!isStored) again();
  };
  useEffect(() => {
    if (!address) return undefined;
    keep(remembered(name, []));
    run();
    addEventListener("online", run);
    const off = live.connection.listen((now) => now === "live" && run());
    return () => {
      clearTimeout(state.current.timer);
      removeEventListener("online", run);
      off();
    };
  }, [address]);
  const add = (item) => {
    keep([...queue.current, item]);
    run();
  };
  return { items, isAway, add };
}
