// Reads what lull did with a message. It is read again while lull is still at work, and whenever something happens in
// the chat.
import { useEffect, useRef, useState } from "/web/parts/html.js";
import { noteDescriptions } from "./descriptions.js";
import { change, useStore } from "./store.js";
import { inspect } from "./world.js";

const AT_WORK_MS = 1500;
const DESCRIBING_MS = 4000;
const UNREACHABLE_MS = 6000;
const SETTLING_MS = 150;

export const isOpenTask = (task) => task.state === "planned" || task.state === "running";

/**
 * The step that the message has reached, according to an answer of /inspect/chats: waiting | working | hearing | silent
 * | planned | done.
 */
export function progress(found, message) {
  const { update, decisions, lease, plan } = found;
  const own = plan && plan.trigger_message_ids.includes(message);
  if (own) return plan.tasks.some(isOpenTask) ? "planned" : "done";
  const decision = decisions.find((each) => each.message_id === message);
  if (decision?.tier === "wait") return "hearing";
  if (decision && !decision.respond) return "silent";
  if (decision && !lease && plan) return "done"; // the message's plan was replaced by a newer plan
  return lease || (update && update.read) ? "working" : "waiting";
}

/** Whether the plan in the answer sent this message. */
export const isSentIn = ({ plan }, message) =>
  Boolean(plan?.tasks.some((task) => task.deliveries.some((delivery) => delivery.message_ids.includes(message))));

// While a tick still holds the chat, the answer may change, even if the agent's message is already in the transcript.
function isSettled(found, message, isOwn) {
  if (found.lease) return false;
  if (isOwn) return !isSentIn(found, message) || !found.plan.tasks.some(isOpenTask);
  return ["done", "silent"].includes(progress(found, message));
}

// Adds to the ids that are already known, also from other topics and agents: a message that contains text from outside
// always will.
function noteOutside(chat, found = []) {
  change((state) => {
    const known = state.outside[chat] || [];
    const more = found.filter((id) => !known.includes(id));
    return more.length ? { outside: { ...state.outside, [chat]: [...known, ...more] } } : null;
  });
}

/**
 * {found, problem}: the newest answer about a message of a chat, or a sentence that says why there is none. `isOwn`:
 * the message is lull's.
 */
export function useInspection({ chat, topic, bot, message, isOwn }) {
  const [answer, setAnswer] = useState({});
  const happened = useStore((state) => state.messages[chat]);
  const reported = useStore((state) => state.deliveries[`${chat}/${message}`]);
  const read = useRef(() => {});

  useEffect(() => {
    let timer = null;
    let left = false;
    const again = (ms) => {
      clearTimeout(timer);
      timer = setTimeout(look, ms);
    };
    const look = async () => {
      if (document.visibilityState !== "visible") return;
      const next = await inspect.chat(chat, { topic, bot, message }).then(
        (found) => ({ found }),
        (problem) => ({ problem: problem.message }),
      );
      if (left) return;
      setAnswer(next);
      noteOutside(chat, next.found?.holding_outside);
      noteDescriptions(next.found?.known);
      if (next.problem) again(UNREACHABLE_MS);
      else if (!isSettled(next.found, message, isOwn)) again(AT_WORK_MS);
      else if (next.found.files.some((file) => !file.is_settled)) again(DESCRIBING_MS);
    };
    const onVisible = () => again(0);
    setAnswer({});
    read.current = () => again(SETTLING_MS);
    look();
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      left = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [chat, topic, bot, message]);

  useEffect(() => read.current(), [happened, reported]);
  return answer;
}
