// Small cards for content that is neither text nor a file: a place, a contact, a poll, dice.
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { t } from "./words.js";

const mapOf = ({ latitude, longitude }) =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;

const numbers = ({ latitude, longitude }) => `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;

const Place = ({ location, title, address }) => html`
  <a class="card" href=${mapOf(location)} target="_blank" rel="noopener noreferrer">
    <span class="card-mark"><${Icon} name="pin" /></span>
    <span class="card-words"><strong dir="auto">${title || t("parts.location")}</strong>${address && html`<span dir="auto">${address}</span>`}<small>${numbers(location)} · ${t("parts.map")}</small></span>
  </a>
`;

const Contact = ({ first_name: first, last_name: last, phone_number: phone }) => html`
  <div class="card">
    <span class="card-mark"><${Icon} name="person" /></span>
    <span class="card-words"><strong dir="auto">${[first, last].filter(Boolean).join(" ")}</strong><small>${phone}</small></span>
  </div>
`;

function Poll({ question, options, total_voter_count: total, is_closed: closed }) {
  const share = (votes) => Math.round((100 * votes) / Math.max(1, total));
  return html`
    <div class="poll">
      <strong dir="auto">${question}</strong>
      <ul>
        ${options.map(
          ({ text, voter_count: votes }) => html`
            <li key=${text}><span dir="auto">${text}</span><small>${share(votes)} %</small><i style=${{ "--share": `${share(votes)}%` }}></i></li>
          `,
        )}
      </ul>
      <small>${closed ? t("parts.poll_closed") : t("parts.poll")} · ${total ? t("parts.votes", { count: total }) : t("parts.no_votes")}</small>
    </div>
  `;
}

const Dice = ({ emoji, value }) => html`
  <p class="dice"><span class="sticker-emoji" aria-hidden="true">${emoji}</span><strong>${value}</strong></p>
`;

const VIEWS = {
  location: (location) => html`<${Place} location=${location} />`,
  venue: (venue) => html`<${Place} ...${venue} />`,
  contact: (contact) => html`<${Contact} ...${contact} />`,
  poll: (poll) => html`<${Poll} ...${poll} />`,
  dice: (dice) => html`<${Dice} ...${dice} />`,
};

export function Card({ content }) {
  const [[field, value]] = Object.entries(content);
  return VIEWS[field] ? VIEWS[field](value) : html`<p>${field.replace("_", " ")}</p>`;
}
