import { html, useState } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { openChat } from "../actions.js";
import { makeChat } from "../first_visit.js";
import { fullName } from "../people.js";
import { Avatar } from "./avatar.js";
import { Dialog, closeDialog } from "./dialog.js";
import { Field, Form } from "/web/parts/form.js";

const Choice = ({ name, value, id, checked, disabled, children }) => html`
  <label class="choice">
    <input type="checkbox" name=${name} value=${value} defaultChecked=${checked} disabled=${disabled} />
    ${id && html`<${Avatar} id=${id} size="s" />`}<span>${children}</span>
  </label>
`;

const numbers = (form, name) => form.getAll(name).map(Number);

export function NewGroup() {
  const me = useStore((state) => (state.panes[state.active] || state.panes[0]).me);
  const people = Object.values(useStore((state) => state.people));
  const bots = Object.values(useStore((state) => state.bots));
  const [forum, setForum] = useState(false);
  const make = async (form) => {
    const chat = await makeChat({
      type: forum ? "supergroup" : "group",
      title: form.get("title").trim(),
      members: [me, ...numbers(form, "member")],
      bots: numbers(form, "bot"),
      admins: [me],
      topics: forum,
    });
    closeDialog();
    openChat(chat.key);
  };
  return html`
    <${Dialog} title="New group">
      <${Form} submit="Create the group" onSend=${make}>
        <${Field} label="Name" name="title" required autofocus maxlength="128" />
        <fieldset>
          <legend>Members</legend>
          ${people.map(
            (person) => html`<${Choice}
              key=${person.id}
              name="member"
              value=${person.id}
              id=${person.id}
              checked=${person.id === me}
              disabled=${person.id === me}
            >
            ${fullName(person)}${person.id === me ? " (you)" : ""}
          <//>`,
          )}
        </fieldset>
        <fieldset>
          <legend>Agents</legend>
          ${bots.map(
            (bot) => html`<${Choice} key=${bot.id} name="bot" value=${bot.id} id=${bot.id} checked=${bot === bots[0]}>
              ${fullName(bot)} <small>@${bot.username}</small>
            <//>`,
          )}
        </fieldset>
        <label class="choice">
          <input type="checkbox" checked=${forum} onChange=${(event) => setForum(event.target.checked)} />
          <span>With topics (a forum)</span>
        </label>
      <//>
    <//>
  `;
}
