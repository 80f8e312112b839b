// A text that is longer than one message: Telegram's apps send it as several.

export const LONGEST = 4096; // UTF-16 units (Bot API, sendMessage)

// Where a part ends: behind its last paragraph, line or word; amid a long word where it must, but never amid a pair of units.
function endOf(text) {
  const most = text.slice(0, LONGEST);
  const ends = [most.lastIndexOf("\n\n"), most.lastIndexOf("\n"), most.lastIndexOf(" ")];
  const end = ends.find((each) => each > LONGEST / 2);
  if (end) return end;
  const isAmidPair = /[\uD800-\uDBFF]$/.test(most);
  return isAmidPair ? LONGEST - 1 : LONGEST;
}

/** The texts that it is sent as, each of them as long as a message may be. */
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
