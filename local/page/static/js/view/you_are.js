// The menu "You are: Ann", for choosing the person to play or creating a new person.
import { html } from "/web/parts/html.js";
import { change, useStore } from "../store.js";
import { become, settle } from "../actions.js";
import { fullName } from "../people.js";
import { Avatar } from "./avatar.js";
import { Icon } from "/web/parts/icon.js";
import { MenuButton, MenuItem } from "/web/parts/menu.js";

/** The entries of the menu: everybody, or only the people in `ids`. */
function Choices({ me, ids, index, close }) {
  const people = useStore((state) => state.people);
  const shown = ids ? ids.map((id) => people[id]).filter(Boolean) : Object.values(people);
  const refuses = Boolean(people[me]?.refuses_voice);
  const pick = (id) => {
    close();
    become(id, index);
  };
  return html`
    <p class="menu-title" role="presentation">You are</p>
    ${shown.map(
      (person) => html`
        <${MenuItem} key=${person.id} checked=${person.id === me} onPick=${() => pick(person.id)}>
          <${Avatar} id=${person.id} size="s" />
          <span class="menu-text">${fullName(person)}<small>${person.username ? `@${person.username}` : ""}</small></span>
        <//>
      `,
    )}
    <hr />
    <${MenuItem} checked=${refuses} isSwitch onPick=${() => settle(me, { refuses_voice: !refuses })}>
      <${Icon} name="mic" /> <span class="menu-text">Allow no voice messages<small>${refuses ? "No one can send you any" : "Off: anyone can"}</small></span>
    <//>
    <hr />
    <${MenuItem}
      onPick=${() => {
        close();
        change({ dialog: { kind: "person", index } });
      }}
    >
      <${Icon} name="plus" /> <span class="menu-text">New person …</span>
    <//>
  `;
}

/** In the list of chats the button shows picture and name, beside the composer only the picture. */
export function YouAre({ me, index, ids, compact }) {
  const name = useStore((state) => fullName(state.people[me]));
  const button = compact
    ? html`<${Avatar} id=${me} size="s" />`
    : html`
        <${Avatar} id=${me} size="s" />
        <span class="you-name"><small>You are</small>${name}</span>
        <span class="caret" aria-hidden="true"></span>
      `;
  return html`
    <${MenuButton} class=${compact ? "you-picture" : "you-are"} label=${`You are ${name}. Switch to someone else`} button=${button}>
      ${(close) => html`<${Choices} me=${me} ids=${ids} index=${index} close=${close} />`}
    <//>
  `;
}
