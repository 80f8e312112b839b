// Makes names of files safe to show, since people can choose any name.
// With these characters, a name that ends in .exe can look as if it ended in .jpg.
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const LONGEST = 60;

/**
 * A name without characters that change the direction of writing. The middle of a long name is left out, so that its
 * end is visible.
 */
export function shownName(name) {
  const plain = [...(name || "").replace(TURNING, "")];
  return plain.length <= LONGEST ? plain.join("") : `${plain.slice(0, LONGEST - 20).join("")}…${plain.slice(-19).join("")}`;
}
