// The numbers that the page gives to conversations and to what it posts, by the server's clock. What is posted again
// with the same number is stored once.
let ahead = 0; // microseconds that the server's clock is ahead of this one
let last = 0;

/** Sets the clock by an answer's `now`, in microseconds. */
export function setClock(now) {
  ahead = now - Date.now() * 1000;
}

/** A new number: microseconds since 1970, larger than each one before. */
export function nextNumber() {
  last = Math.max(Date.now() * 1000 + ahead + Math.floor(Math.random() * 1000), last + 2000);
  return last;
}

/** The number of a new conversation: milliseconds. */
export const nextConversation = () => Math.floor(nextNumber() / 1000);
