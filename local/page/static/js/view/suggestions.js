// Completions while typing: "@" in a group offers everybody with a username, and "/" at the start offers the bots'
// commands.
import { html, useMemo } from "/web/parts/html.js";
import { useCompletions } from "/web/parts/completions.js";
import { useStore } from "../store.js";
import { menuOf } from "../menu_of.js";
import { fullName } from "../people.js";
import { Avatar } from "./avatar.js";

const TYPED = /(?:(?:^|\s)(@)|^(\/))(\w*)$/;

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

const show = (offer) => html`<${Avatar} id=${offer.who} size="s" /> <span>${offer.label} <small>${offer.about}</small></span>`;

/** What useCompletions of the parts gives, for a person in a chat. */
export function useSuggestions({ chat, me, field, text, setText }) {
  const offers = useOffers(chat, me);
  return useCompletions({ id: `offers-${chat.key}-${me}`, offers, pattern: TYPED, field, text, setText, label: "Completions", show });
}
