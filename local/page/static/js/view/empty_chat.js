// Shown in a chat without messages: suggests what to write.
import { html } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { send } from "../actions.js";
import { once } from "/web/parts/clicks.js";
import { fullName } from "../people.js";
import { ChatAvatar } from "./avatar.js";

const Say = ({ chat, me, topic, text }) => html`
  <button type="button" class="say" onClick=${once(() => send(chat.key, { from: me, text, topic_id: topic ?? undefined }))}>${text}</button>
`;

function words(chat, name, bot) {
  if (chat.type === "private")
    return [`Say hi to ${name}`, "Write as you would to a friend; what happens behind it is shown in “What lull did”."];
  if (!bot) return ["Only people here", "Add an agent in “About this chat”."];
  return ["Talk to each other", `${name} listens, and answers when it is mentioned, named or replied to.`];
}

export function EmptyChat({ chat, me, topic }) {
  const bots = useStore((state) => state.bots);
  const ids = chat.type === "private" ? [chat.bot_id] : chat.bots || [];
  const bot = bots[ids[0]];
  const name = fullName(bot);
  const address = chat.type === "private" || !bot ? "" : `@${bot.username} `;
  const [title, hint] = words(chat, name, bot);
  return html`
    <div class="empty">
      <${ChatAvatar} chat=${chat} size="l" />
      <div><h2>${title}</h2><p>${hint}</p></div>
      ${
        bot &&
        html`<div class="says" role="group" aria-label="Suggestions">
        <${Say} chat=${chat} me=${me} topic=${topic} text=${`${address}hi, who are you?`} />
        <${Say} chat=${chat} me=${me} topic=${topic} text=${`${address}what can you do?`} />
      </div>`
      }
    </div>
  `;
}
