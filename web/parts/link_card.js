// The card of a link, which shows the link's address. Nothing is fetched from there, so the card has no title and no
// picture.
import { html } from "./html.js";
import { safeHref } from "./entities.js";
import { Icon } from "./icon.js";

/** The host as the browser calls it (with letters of other scripts as punycode), and the rest of the address. */
function partsOf(href) {
  const { host, pathname, search, hash } = new URL(href);
  const rest = pathname + search + hash;
  return { host, rest: rest === "/" ? "" : rest };
}

export function LinkCard({ address }) {
  const href = safeHref(address);
  if (!href) return null;
  const { host, rest } = partsOf(href);
  return html`
    <a class="link-card" dir="ltr" href=${href} title=${href} target="_blank" rel="noopener noreferrer">
      <${Icon} name="outside" size=${18} />
      <span class="link-where"><strong>${host}</strong>${rest && html`<span class="link-rest">${rest}</span>`}</span>
    </a>
  `;
}
