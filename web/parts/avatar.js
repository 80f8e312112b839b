// A person's initials on one of eight colours.
import { html } from "./html.js";

const TONES = 8;

/** One or two letters for an avatar. They are whole characters, so that an emoji is not cut in half. */
export function initials(name) {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const firsts = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return firsts.map((word) => [...word][0].toUpperCase()).join("") || "?";
}

/** A colour that always belongs to this number, such as a person's id. */
export const toneOfId = (id) => Math.abs(Number(id) || 0) % TONES;

/** Bots are square, so that they can be recognized without colours. `size`: s | m | l. */
export const Avatar = ({ name, tone = 0, isBot, size = "m" }) => html`
  <span class=${`avatar avatar-${size} tone-${tone}${isBot ? " is-bot" : ""}`} aria-hidden="true">${initials(name)}</span>
`;
