// The names of files, which are people's words.
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g; // with these, what ends in .exe reads as if it ended in .jpg
const LONGEST = 60;

/** A name as it reads letter by letter; of a long one the middle is left out, so that its ending is there. */
export function shownName(name) {
  const plain = [...(name || "").replace(TURNING, "")];
  return plain.length <= LONGEST ? plain.join("") : `${plain.slice(0, LONGEST - 20).join("")}…${plain.slice(-19).join("")}`;
}
