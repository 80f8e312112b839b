// The emoji that Telegram allows as reactions (Bot API, ReactionTypeEmoji), the most used first.
export const QUICK = ["👍", "❤", "🔥", "😁", "🤔", "🎉", "👀"];

export const ALL = [
  ...QUICK, "👎", "🥰", "👏", "🤯", "😱", "🤬", "😢", "🤩", "🤮", "💩", "🙏", "👌", "🕊", "🤡", "🥱", "🥴", "😍", "🐳",
  "❤‍🔥", "🌚", "🌭", "💯", "🤣", "⚡", "🍌", "🏆", "💔", "🤨", "😐", "🍓", "🍾", "💋", "🖕", "😈", "😴", "😭", "🤓", "👻",
  "👨‍💻", "🎃", "🙈", "😇", "😨", "🤝", "✍", "🤗", "🫡", "🎅", "🎄", "☃", "💅", "🤪", "🗿", "🆒", "💘", "🙉", "🦄", "😘",
  "💊", "🙊", "😎", "👾", "🤷‍♂", "🤷", "🤷‍♀", "😡",
];

/** [{emoji, count, mine}] in the order in which they were first given. */
export function counted(reactions, me) {
  const groups = new Map();
  for (const { emoji, from } of reactions || []) {
    const group = groups.get(emoji) || { emoji, count: 0, mine: false, who: [] };
    groups.set(emoji, { ...group, count: group.count + 1, mine: group.mine || from === me, who: [...group.who, from] });
  }
  return [...groups.values()];
}
