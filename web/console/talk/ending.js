// The end of a web conversation: the draft, the agent's activity, and the field in which the owner writes.
import { html, useEffect, useRef } from "../../parts/html.js";
import { PageDropTarget } from "../../parts/drop_target.js";
import { RichText } from "../../parts/rich_text.js";
import { toast } from "../../parts/toasts.js";
import { announce } from "../announcer.js";
import { t } from "../words.js";
import { useAttachments } from "./attachments.js";
import { Composer } from "./composer.js";
import { draftOf, isBusy } from "./screen.js";

/** Shows the agent's short text after a button was pressed, once. */
function useNotice(notice) {
  const told = useRef(undefined);
  useEffect(() => {
    if (told.current !== undefined && notice && notice.at !== told.current) toast(notice.text);
    told.current = notice?.at || "";
  }, [notice?.at]);
}

/** Has screen readers read each new message of the agent as a whole. */
function useSpoken(talk) {
  const newest = useRef(undefined);
  const messages = talk.screen?.messages || [];
  const last = messages[messages.length - 1];
  useEffect(() => {
    if (!talk.screen) return;
    if (newest.current !== undefined && last && last.id > newest.current) announce(last.text);
    newest.current = last?.id || 0;
  }, [last?.id, Boolean(talk.screen)]);
}

/** The draft to show. If the agent stops, its draft stays until it works again. */
function useDraftShown(talk, busy) {
  const stopped = useRef("");
  const draft = draftOf(talk);
  if (draft && !busy) stopped.current = draft.at;
  return draft && busy && draft.at === stopped.current ? null : draft;
}

const WORK = { record_voice: "message.recording", upload_photo: "message.drawing" };

/** The field in which the owner writes. Files can be dropped anywhere on the page. */
function Writing({ talk, ...rest }) {
  const attachments = useAttachments(talk.address, talk.begin);
  return html`
    <${PageDropTarget} onFiles=${attachments.add} />
    <${Composer} ...${rest} attachments=${attachments} refused=${talk.refused} />
  `;
}

/** `writing`: from useAnswering. */
export function TalkEnd({ talk, agent, name, focus, writing }) {
  useNotice(talk.screen?.notice);
  useSpoken(talk);
  const busy = isBusy(talk);
  const draft = useDraftShown(talk, busy);
  return html`
    ${draft && html`<div class=${`talk-entry is-agent is-draft${busy ? "" : " is-stopped"}`} aria-hidden=${busy}><article class="talk-bubble">
      <header><b dir="auto">${agent}</b> <span class="quiet">${t(busy ? "talk.writing" : "message.stopped")}</span></header>
      <${RichText} text=${draft.text} entities=${draft.entities} message=${draft} me=${0} />
    </article></div>`}
    ${!draft && busy && html`<p class="talk-busy" role="status"><span class="talk-dots" aria-hidden="true"><i></i><i></i><i></i></span> <span>${t(WORK[talk.screen?.activity] || "talk.busy", { name: agent })}</span></p>`}
    <${Writing} key=${talk.address} talk=${talk} name=${name} writing=${writing} focus=${focus} />
  `;
}
