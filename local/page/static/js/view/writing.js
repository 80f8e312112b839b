// Shows who is typing now, and answers that are streamed in before they become messages.
import { html } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { doing } from "../doing.js";
import { fullName, someone } from "../people.js";
import { Avatar } from "./avatar.js";
import { RichText } from "/web/parts/rich_text.js";

const here = (entries, chat, me, topic) =>
  Object.values(entries).filter(
    (each) => each.chat === chat.key && each.from !== me && (each.topic_id ?? null) === topic,
  );

const Dots = () => html`<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>`;

function Draft({ draft, inGroup }) {
  const message = { chat: draft.chat, topic_id: draft.topic_id };
  return html`
    <div class="group" data-testid="draft">
      ${inGroup && html`<div class="group-picture"><${Avatar} id=${draft.from} size="s" /></div>`}
      <div class="group-bubbles">
        <div class="message is-draft" aria-busy="true">
          <div class="bubble">
            <${RichText} text=${draft.text || "Thinking …"} entities=${draft.entities} message=${message} />
            <span class="meta"><${Dots} /> writing</span>
          </div>
        </div>
      </div>
    </div>
  `;
}

function Typing({ entry, inGroup }) {
  const name = useStore((state) => fullName(someone(state, entry.from)));
  const does = useStore((state) => doing(state, entry));
  return html`
    <div class="group" data-testid="typing">
      ${inGroup && html`<div class="group-picture"><${Avatar} id=${entry.from} size="s" /></div>`}
      <p class="typing"><${Dots} /><span>${name} ${does}</span></p>
    </div>
  `;
}

export function Writing({ chat, me, topic }) {
  const typing = here(
    useStore((state) => state.typing),
    chat,
    me,
    topic,
  );
  const drafts = here(
    useStore((state) => state.drafts),
    chat,
    me,
    topic,
  );
  const inGroup = chat.type !== "private";
  const drafting = new Set(drafts.map((draft) => draft.from));
  return html`
    ${drafts.map((draft) => html`<${Draft} key=${`${draft.from}/${draft.draft_id}`} draft=${draft} inGroup=${inGroup} />`)}
    ${typing
      .filter((entry) => !drafting.has(entry.from))
      .map((entry) => html`<${Typing} key=${entry.from} entry=${entry} inGroup=${inGroup} />`)}
  `;
}
