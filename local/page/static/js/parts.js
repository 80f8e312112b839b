// Splits a text that is too long for one message. Telegram's apps send such a text as several messages, too.

export const LONGEST = 4096; // UTF-16 units (Bot API, sendMessage)

// The end of the first part: behind a paragraph, a line or a word. Only a very long word is split, but never between
// the two units of a surrogate pair.
function endOf(text) {
  const most = text.slice(0, LONGEST);
  const ends = [most.lastIndexOf("\n\n"), most.lastIndexOf("\n"), most.lastIndexOf(" ")];
  const end = ends.find((each) => each > LONGEST / 2);
  if (end) return end;
  const isAmidPair = /[\uD800-\uDBFF]$/.test(most);
  return isAmidPair ? LONGEST - 1 : LONGEST;
}

/** The texts as which `text` is sent, each short enough for a message. */
export function parts(text) {
  const made = [];
  let left = text;
  while (left.length > LONGEST) {
    const end = endOf(left);
    made.push(left.slice(0, end).trimEnd());
    left = left.slice(end).trimStart();
  }
  return left ? [...made, left] : made;
}
