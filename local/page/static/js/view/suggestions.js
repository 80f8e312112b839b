// Completions while typing: "@" in a group offers everybody with a username, and "/" at the start offers the bots'
// commands. The up and down keys choose, Enter or Tab inserts, Escape closes the list.
import { html, useMemo, useState } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { menuOf } from "../menu_of.js";
import { fullName } from "../people.js";
import { Avatar } from "./avatar.js";

const TYPED = /(?:(?:^|\s)(@)|^(\/))(\w*)$/;

/** {sign, word, start, end} of the name or command before the cursor, or null. */
function beforeCursor(field, text) {
  const end = field?.selectionStart ?? text.length;
  const match = TYPED.exec(text.slice(0, end));
  return match && { sign: match[1] || match[2], word: match[3].toLowerCase(), start: end - match[3].length - 1, end };
}

const named = (who) => ({
  key: `@${who.username}`,
  insert: `@${who.username} `,
  label: fullName(who),
  about: `@${who.username}`,
  who: who.id,
});

function commandsOf(bot, chat, person) {
  const inGroup = chat.type !== "private";
  return menuOf(bot, chat, person).map(({ command, description }) => {
    const whole = `/${command}${inGroup ? `@${bot.username}` : ""}`;
    return { key: whole, insert: whole, label: whole, about: description, who: bot.id };
  });
}

function useOffers(chat, me) {
  const people = useStore((state) => state.people);
  const bots = useStore((state) => state.bots);
  return useMemo(() => {
    const inGroup = chat.type !== "private";
    const here = (inGroup ? chat.bots : [chat.bot_id]).map((id) => bots[id]).filter(Boolean);
    const others = inGroup ? chat.members.filter((id) => id !== me).map((id) => people[id]) : [];
    return {
      "@": inGroup ? [...here, ...others].filter((who) => who?.username).map(named) : [],
      "/": here.flatMap((bot) => commandsOf(bot, chat, people[me])),
    };
  }, [chat, people, bots, me]);
}

const intoView = (node) => node?.scrollIntoView({ block: "nearest" });

const Offer = ({ offer, chosen, take }) => html`
  <li role="option" aria-selected=${chosen} ref=${chosen ? intoView : null} onPointerDown=${(event) => event.preventDefault()} onClick=${() => take(offer)}>
    <${Avatar} id=${offer.who} size="s" /> <span>${offer.label} <small>${offer.about}</small></span>
  </li>
`;

/**
 * {list, onKeyDown}: the list of completions to show, and a handler that returns whether a key was meant for the list.
 */
export function useSuggestions({ chat, me, field, text, setText }) {
  const offers = useOffers(chat, me);
  const [at, setAt] = useState(0);
  const [left, setLeft] = useState(null); // the text for which the list was closed
  const typed = text === left ? null : beforeCursor(field.current, text);
  const fits = ({ label, about }) => `${label} ${about}`.toLowerCase().includes(typed.word);
  const found = typed ? offers[typed.sign].filter(fits) : [];
  const chosen = Math.min(at, found.length - 1);

  const take = (offer) => {
    const next = text.slice(0, typed.start) + offer.insert + text.slice(typed.end);
    setText(next);
    setLeft(next);
    setAt(0);
    field.current.focus();
  };
  const keys = {
    ArrowDown: () => setAt((chosen + 1) % found.length),
    ArrowUp: () => setAt((chosen - 1 + found.length) % found.length),
    Enter: () => take(found[chosen]),
    Tab: () => take(found[chosen]),
    Escape: () => setLeft(text),
  };
  // if a completion is typed already, Enter sends the message
  const isWhole = typed && found.some(({ insert }) => insert.trim().toLowerCase() === `${typed.sign}${typed.word}`);
  const onKeyDown = (event) => {
    if (event.key === "Enter" && isWhole) return false;
    if (!found.length || !keys[event.key] || event.shiftKey) return false;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
    return true;
  };
  const list =
    found.length > 0 &&
    html`<ul class="offers" role="listbox" aria-label="Completions">
      ${found.map((offer, number) => html`<${Offer} key=${offer.key} offer=${offer} chosen=${number === chosen} take=${take} />`)}
    </ul>`;
  return { list, onKeyDown };
}
