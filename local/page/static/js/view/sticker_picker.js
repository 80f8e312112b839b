import { html } from "../html.js";
import { useStore } from "../store.js";
import { Icon } from "./icon.js";
import { Sticker } from "./media.js";
import { MenuButton } from "./menu.js";

export function StickerPicker({ onPick }) {
  const stickers = useStore((state) => state.stickers);
  return html`
    <${MenuButton}
      class="icon-button"
      label="Send a sticker"
      align="end"
      menuClass="sticker-menu"
      button=${html`<${Icon} name="sticker" />`}
    >
      ${(close) =>
        stickers.length
          ? stickers.map(
              (sticker) => html`
                <button
                  key=${sticker.file_id}
                  type="button"
                  role="menuitem"
                  class="sticker-button"
                  aria-label=${`Sticker ${sticker.emoji}`}
                  onClick=${() => {
                    close();
                    onPick(sticker);
                  }}
                >
                  <${Sticker} sticker=${sticker} />
                </button>
              `,
            )
          : html`<p class="hint">There are no stickers on this server.</p>`}
    <//>
  `;
}
