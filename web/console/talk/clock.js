// Makes the numbers of conversations and of posts from the server's clock. A post that is repeated with the same number
// is stored once.
let ahead = 0; // microseconds that the server's clock is ahead of this one
let last = 0;

/** Sets the clock from a response's `now`, in microseconds. */
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

const FIRST_MESSAGE = 2 ** 31; // as in shared/webchat/ids.py

/** The id of the message that is posted with a number. */
export const messageOf = (number, conversation) => FIRST_MESSAGE + 2 * Math.max(0, Math.floor(number / 1000) - conversation);

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; // of a ULID, whose first ten tell the millisecond

/** The time at which a conversation began, which is part of its id; "" if the id has another form. */
export function beganAt(conversation) {
  const ms = [...conversation.slice(5, 15)].reduce((sum, digit) => sum * 32 + DIGITS.indexOf(digit), 0);
  return /^conv-[0-9A-Z]{26}$/.test(conversation) ? new Date(ms).toISOString() : "";
}

/** Whether a message was written in a web conversation. Otherwise it comes from Telegram, where the conversation began. */
export const isOfWeb = (id) => id >= FIRST_MESSAGE;
