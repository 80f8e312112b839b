// Shows a text with Telegram's entities as elements. All text is put in as text nodes, and addresses are checked before
// they become links.
import { html, memo, useState } from "./html.js";
import { once } from "./clicks.js";
import { safeHref, toTree, withoutBlockBreaks } from "./entities.js";
import { Sticker } from "./media.js";
import { usePage } from "./page.js";
import { t } from "./words.js";

function Spoiler({ children }) {
  const [shown, setShown] = useState(false);
  if (shown) return html`<span class="spoiler is-shown">${children}</span>`;
  return html`
    <button type="button" class="spoiler" dir="auto" aria-label=${t("parts.spoiler")} onClick=${() => setShown(true)}>
      <span aria-hidden="true">${children}</span>
    </button>
  `;
}

function CodeBlock({ language, text }) {
  const { copy } = usePage();
  return html`
  <figure class="code-block">
    <figcaption>
      <span>${language || t("parts.code")}</span>
      <button type="button" class="link" onClick=${() => copy(text)}>${t("parts.copy")}</button>
    </figcaption>
    <pre tabindex="0"><code>${text}</code></pre>
  </figure>
  `;
}

const Link = ({ address, children }) => {
  const href = safeHref(address);
  return href
    ? html`<a href=${href} target="_blank" rel="noopener noreferrer">${children}</a>`
    : html`<span>${children}</span>`;
};

function Quote({ expandable, children }) {
  const [open, setOpen] = useState(!expandable);
  return html`
    <blockquote class=${open ? "" : "is-folded"}>
      ${children}
      ${
        expandable &&
        html`<button type="button" class="link" aria-expanded=${open} onClick=${() => setOpen(!open)}>${open ? t("parts.less") : t("parts.more")}</button>`
      }
    </blockquote>
  `;
}

// A click on a command sends it, as in Telegram's clients.
function Command({ message, me, children, text }) {
  const { sendCommand } = usePage();
  if (!sendCommand) return html`<span class="mention" dir="ltr">${children}</span>`;
  return html`<button type="button" class="link" dir="ltr" onClick=${once(() => sendCommand(message, me, text))}>${children}</button>`;
}

const Mention = ({ entity, children }) => html`<span class="mention" title=${usePage().useName(entity.user)}>${children}</span>`;

// The usual emoji is shown until the custom emoji is known. Screen readers always read the usual one.
function CustomEmoji({ entity, text, children }) {
  const sticker = usePage().useCustomEmoji(entity.custom_emoji_id);
  return sticker ? html`<span class="custom-emoji"><${Sticker} sticker=${{ ...sticker, emoji: text }} /></span>` : children;
}

const plain = (nodes) => nodes.map((node) => (typeof node === "string" ? node : plain(node.children))).join("");

const RENDERED = {
  bold: ({ children }) => html`<strong>${children}</strong>`,
  italic: ({ children }) => html`<em>${children}</em>`,
  underline: ({ children }) => html`<u>${children}</u>`,
  strikethrough: ({ children }) => html`<s>${children}</s>`,
  spoiler: Spoiler,
  code: ({ children }) => html`<code>${children}</code>`,
  pre: ({ entity, text }) => html`<${CodeBlock} language=${entity.language} text=${text} />`,
  blockquote: Quote,
  expandable_blockquote: (props) => html`<${Quote} expandable ...${props} />`,
  url: ({ text, children }) => html`<${Link} address=${text}>${children}<//>`,
  email: ({ text, children }) => html`<${Link} address=${`mailto:${text}`}>${children}<//>`,
  phone_number: ({ text, children }) => html`<${Link} address=${`tel:${text}`}>${children}<//>`,
  text_link: ({ entity, children }) => html`<${Link} address=${entity.url}>${children}<//>`,
  mention: Mention,
  text_mention: Mention,
  hashtag: ({ children }) => html`<span class="mention">${children}</span>`,
  cashtag: ({ children }) => html`<span class="mention">${children}</span>`,
  bot_command: Command,
  custom_emoji: CustomEmoji,
};

const Nodes = ({ nodes, message, me }) =>
  withoutBlockBreaks(nodes).map((node) => {
    if (typeof node === "string") return node;
    const View = RENDERED[node.entity.type] || (({ children }) => html`<span>${children}</span>`);
    return html`<${View} entity=${node.entity} text=${plain(node.children)} message=${message} me=${me}>
      <${Nodes} nodes=${node.children} message=${message} me=${me} />
    <//>`;
  });

export const RichText = memo(
  ({ text, entities, message, me }) => html`
  <div class="text" dir="auto"><${Nodes} nodes=${toTree(text, entities)} message=${message} me=${me} /></div>
`,
);
