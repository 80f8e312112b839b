// Offers stickers and custom emoji for sending, and a button for adding new ones.
import { html } from "/web/parts/html.js";
import { change, useStore } from "../store.js";
import { Icon } from "/web/parts/icon.js";
import { Sticker } from "/web/parts/media.js";
import { MenuButton, MenuItem } from "/web/parts/menu.js";

const Choice = ({ sticker, name, onPick }) => html`
  <button type="button" role="menuitem" class="sticker-button" aria-label=${`${name} ${sticker.emoji}`} onClick=${onPick}>
    <${Sticker} sticker=${sticker} />
  </button>
`;

/** `onPick` gets the sticker; a second argument says whether it is a custom emoji. */
export function StickerPicker({ onPick }) {
  const stickers = useStore((state) => state.stickers);
  const customEmoji = useStore((state) => state.customEmoji);
  const choices = (close, those, name, isEmoji) =>
    those.map((sticker) => {
      const pick = () => {
        close();
        onPick(sticker, isEmoji);
      };
      return html`<${Choice} key=${sticker.file_id} sticker=${sticker} name=${name} onPick=${pick} />`;
    });
  const bring = (close) => {
    close();
    change({ dialog: { kind: "sticker" } });
  };
  return html`
    <${MenuButton}
      class="icon-button"
      label="Send a sticker"
      align="end"
      menuClass="sticker-menu"
      button=${html`<${Icon} name="sticker" />`}
    >
      ${(close) => html`
        <div class="sticker-choices" role="presentation">${choices(close, stickers, "Sticker", false)}</div>
        ${
          customEmoji.length > 0 &&
          html`<p class="menu-title" role="presentation">Custom emoji</p>
          <div class="sticker-choices is-small" role="presentation">${choices(close, customEmoji, "Custom emoji", true)}</div>`
        }
        <${MenuItem} onPick=${() => bring(close)}><${Icon} name="plus" /> New sticker …<//>
      `}
    <//>
  `;
}
