// Keeps the newest message in view while the person is at the end of the chat. While the person reads further up,
// nothing scrolls.
import { useLayoutEffect, useRef, useState } from "/web/parts/html.js";

const NEAR_PX = 80;

const fromEnd = (node) => node.scrollHeight - node.scrollTop - node.clientHeight;

/**
 * {ref, onScroll, away, fresh, toEnd}. `away`: whether the person is away from the end; `fresh`: how many new messages
 * are there; `toEnd`: scrolls there.
 */
export function useScroll({ messages, me, onSeen, onTop }) {
  const ref = useRef(null);
  const stuck = useRef(true);
  const heightBefore = useRef(0);
  const oldest = useRef(null);
  const newest = useRef(0);
  const [away, setAway] = useState(false);
  const [fresh, setFresh] = useState(0);

  // On a phone the chat stays in the page while the list is shown; then nobody sees the chat.
  const seen = () => {
    const shown = document.visibilityState === "visible" && ref.current?.offsetParent;
    if (stuck.current && shown) onSeen();
  };

  const toEnd = () => {
    const node = ref.current;
    stuck.current = true;
    node.scrollTop = node.scrollHeight;
    setAway(false);
    setFresh(0);
    seen();
  };

  useLayoutEffect(() => {
    const node = ref.current;
    const first = messages[0]?.message_id;
    const last = messages.at(-1);
    const added = newest.current ? messages.filter((each) => each.message_id > newest.current) : [];
    if (oldest.current && first < oldest.current && !stuck.current)
      node.scrollTop += node.scrollHeight - heightBefore.current;
    if (stuck.current || added.some((each) => each.from === me)) toEnd();
    else if (added.length) setFresh((count) => count + added.length);
    oldest.current = first;
    newest.current = last?.message_id ?? 0;
    heightBefore.current = node.scrollHeight;
  }, [messages]);

  useLayoutEffect(() => {
    const node = ref.current;
    const keep = () => {
      if (stuck.current && fromEnd(node) > 0) node.scrollTop = node.scrollHeight;
      heightBefore.current = node.scrollHeight;
      seen();
    };
    const watcher = new ResizeObserver(keep);
    watcher.observe(node);
    watcher.observe(node.firstElementChild);
    document.addEventListener("visibilitychange", seen);
    return () => {
      watcher.disconnect();
      document.removeEventListener("visibilitychange", seen);
    };
  }, []);

  const onScroll = () => {
    const node = ref.current;
    stuck.current = fromEnd(node) < NEAR_PX;
    setAway(!stuck.current);
    if (stuck.current) {
      setFresh(0);
      seen();
    }
    if (node.scrollTop < NEAR_PX && node.scrollHeight > node.clientHeight) onTop();
  };

  return { ref, onScroll, away, fresh, toEnd };
}
