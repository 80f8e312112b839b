// Finds the commands that a bot shows to a person in a chat.

/** The scopes that may count, the narrowest first (Bot API, "Determining list of commands"). */
function scopesOf(chat, me) {
  if (chat.type === "private") return [`chat.${chat.id}`, "all_private_chats", "default"];
  const isAdmin = (chat.admins || []).includes(me);
  const here = [`chat_member.${chat.id}.${me}`, isAdmin && `chat_administrators.${chat.id}`, `chat.${chat.id}`];
  return [...here, isAdmin && "all_chat_administrators", "all_group_chats", "default"].filter(Boolean);
}

/** The commands of the first scope that has a list, either for the person's language or for all languages. */
export function menuOf(bot, chat, person) {
  const languages = [person?.language_code?.slice(0, 2), ""].filter((each) => each !== undefined);
  const places = scopesOf(chat, person?.id).flatMap((scope) => languages.map((language) => `${scope}|${language}`));
  const place = places.find((each) => bot.commands?.[each]);
  return place ? bot.commands[place] : [];
}
