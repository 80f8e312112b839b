// Goes to the message that a reply refers to.
import { attempt, toast } from "../../parts/toasts.js";
import { t } from "../words.js";

const SHOWN_MS = 1_600;
const MOST_PAGES = 20;

const nodeOf = (id) => document.querySelector(`[data-message="${Number(id)}"]`);

function show(node) {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  node.scrollIntoView({ block: "center", behavior: isCalm ? "auto" : "smooth" });
  node.querySelector("article").focus({ preventScroll: true });
  node.classList.add("is-found");
  setTimeout(() => node.classList.remove("is-found"), SHOWN_MS);
}

const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

/** Scrolls to a message. Until it is loaded, `older()` loads earlier pages; it returns whether there are more. */
export const jumpTo = (id, older) =>
  attempt(async () => {
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const node = nodeOf(id);
      if (node) return show(node);
      if (!(await older())) break;
      await drawn();
    }
    const node = nodeOf(id);
    return node ? show(node) : toast(t("message.gone"));
  });
