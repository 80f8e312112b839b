// Where the person of this pane writes: text, pictures, stickers, a reply or an edit.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { useStore } from "../store.js";
import { edit, send } from "../actions.js";
import { toMarkdown } from "../entities.js";
import { chatName, fullName } from "../people.js";
import { AnsweringBar } from "./answering_bar.js";
import { pictures } from "./drop_target.js";
import { IconButton } from "./icon.js";
import { PhotoTray } from "./photo_tray.js";
import { StickerPicker } from "./sticker_picker.js";
import { useSuggestions } from "./suggestions.js";
import { YouAre } from "./you_are.js";

const unsent = new Map(); // what was typed and not sent, by person, chat and topic

// The field is as high as its text, up to a limit set in the style sheet.
function useHeight(ref, text) {
  useLayoutEffect(() => {
    ref.current.style.height = "auto";
    ref.current.style.height = `${ref.current.scrollHeight}px`;
  }, [text]);
}

// Not on a touch screen, where a focused field opens the keyboard.
const focusIfMouse = (ref) => matchMedia("(hover: hover)").matches && ref.current?.focus({ preventScroll: true });

function useDraft(place) {
  const [text, setText] = useState(unsent.get(place) || "");
  const keep = (next) => {
    unsent.set(place, next);
    setText(next);
  };
  return [text, keep];
}

export function Composer({ chat, me, topic, index, answering, onAnswered, files, setFiles }) {
  const field = useRef(null);
  const picker = useRef(null);
  const [text, setText] = useDraft(`${me}/${chat.key}/${topic}`);
  const name = useStore((state) => fullName(state.people[me]));
  const title = useStore((state) => chatName(state, chat));
  const suggestions = useSuggestions({ chat, me, field, text, setText });
  const editing = answering?.mode === "edit" ? answering.message : null;
  useHeight(field, text);
  useEffect(() => focusIfMouse(field), [answering]);
  useEffect(() => {
    if (editing) setText(toMarkdown(editing.text || editing.caption || "", editing.entities));
  }, [editing]);

  const stop = () => {
    if (editing) setText("");
    onAnswered();
  };
  const message = (more) => ({
    from: me,
    topic_id: topic ?? undefined,
    reply_to: answering?.mode === "reply" ? answering.message.message_id : undefined,
    ...more,
  });
  const submit = async () => {
    const written = text.trim();
    if (!written && !files.length) return;
    setText("");
    setFiles([]);
    onAnswered();
    const done = editing ? edit(editing, me, written) : send(chat.key, message({ text: written }), files);
    // What could not be sent is put back.
    if ((await done) === undefined) setText(written);
  };
  const onKeyDown = (event) => {
    if (suggestions.onKeyDown(event) || event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      submit();
    } else if (event.key === "Escape" && answering) {
      event.stopPropagation();
      stop();
    }
  };
  const onPaste = (event) => {
    const pasted = pictures(event.clipboardData.files);
    if (!pasted.length) return;
    event.preventDefault();
    setFiles([...files, ...pasted]);
  };
  const sendSticker = (sticker) => {
    onAnswered();
    return send(chat.key, message({ sticker: sticker.file_id }));
  };
  const members = chat.type === "private" ? null : chat.members;
  return html`
    <form class="composer" onSubmit=${(event) => event.preventDefault()}>
      ${answering && html`<${AnsweringBar} answering=${answering} onStop=${stop} />`}
      <${PhotoTray} files=${files} setFiles=${setFiles} />
      ${suggestions.list}
      <div class="composer-row">
        <${YouAre} me=${me} index=${index} ids=${members} compact />
        <input
          ref=${picker}
          type="file"
          accept="image/*"
          multiple
          hidden
          onChange=${(event) => {
            setFiles([...files, ...pictures(event.target.files)]);
            event.target.value = "";
          }}
        />
        ${!editing && html`<${IconButton} icon="photo" label="Send photos" onClick=${() => picker.current.click()} />`}
        <textarea
          ref=${field}
          rows="1"
          value=${text}
          placeholder=${files.length ? "Caption" : `Write as ${name}`}
          aria-label=${`Message to ${title}, as ${name}`}
          dir="auto"
          onInput=${(event) => setText(event.target.value)}
          onKeyDown=${onKeyDown}
          onPaste=${onPaste}
        ></textarea>
        ${!editing && html`<${StickerPicker} onPick=${sendSticker} />`}
        <${IconButton}
          icon="send"
          label=${editing ? "Save" : "Send"}
          class="send"
          disabled=${!text.trim() && !files.length}
          onClick=${submit}
        />
      </div>
    </form>
  `;
}
