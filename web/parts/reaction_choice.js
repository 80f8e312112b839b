// The reactions to choose from, in the menu of a message: those that are most used, or all that Telegram knows.
import { html, useState } from "./html.js";
import { Icon } from "./icon.js";
import { ALL, QUICK } from "./reactions.js";
import { t } from "./words.js";

const Emoji = ({ emoji, isMine, onPick }) => html`
  <button type="button" role="menuitem" class=${`emoji-button${isMine ? " is-mine" : ""}`} aria-label=${t(isMine ? "parts.react_back" : "parts.react_with", { emoji })} onClick=${() => onPick(emoji)}>${emoji}</button>
`;

/** `mine`: the emojis that the reader has given already; `onPick` gets an emoji. */
export function ReactionChoice({ mine = [], onPick }) {
  const [all, setAll] = useState(false);
  return html`
    <div class=${`emojis${all ? " is-all" : ""}`} role="group" aria-label=${t("parts.react")}>
      ${(all ? ALL : QUICK).map((emoji) => html`<${Emoji} key=${emoji} emoji=${emoji} isMine=${mine.includes(emoji)} onPick=${onPick} />`)}
      ${!all && html`<button type="button" role="menuitem" class="emoji-button" aria-label=${t("parts.all_reactions")} onClick=${() => setAll(true)}><${Icon} name="plus" size=${18} /></button>`}
    </div>
  `;
}
