// Where the person of this pane writes: text, pictures, stickers, a reply or an edit.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { useStore } from "../store.js";
import { attempt, edit, send, sendFiles } from "../actions.js";
import { toMarkdown } from "../entities.js";
import { chatName, fullName } from "../people.js";
import { record } from "../recording.js";
import { AnsweringBar } from "./answering_bar.js";
import { AttachMenu } from "./attach_menu.js";
import { useFileChooser } from "./file_chooser.js";
import { IconButton } from "./icon.js";
import { StickerPicker } from "./sticker_picker.js";
import { useSuggestions } from "./suggestions.js";
import { Tray } from "./tray.js";
import { VoiceRecorder } from "./voice_recorder.js";
import { YouAre } from "./you_are.js";

const unsent = new Map(); // what was typed and not sent, by person, chat and topic

// The field is as high as its text, up to a limit set in the style sheet.
function useHeight(ref, text) {
  useLayoutEffect(() => {
    if (!ref.current) return;
    ref.current.style.height = "auto";
    ref.current.style.height = `${ref.current.scrollHeight}px`;
  }, [text]);
}

// Not on a touch screen, where a focused field opens the keyboard.
const focusIfMouse = (ref) => matchMedia("(hover: hover)").matches && ref.current?.focus({ preventScroll: true });

/** A text of one custom emoji; apps that do not know it show the usual one. */
const customEmoji = ({ emoji, custom_emoji_id: id }) => ({
  text: emoji,
  entities: [{ type: "custom_emoji", offset: 0, length: emoji.length, custom_emoji_id: id }],
});

function useDraft(place) {
  const [text, setText] = useState(unsent.get(place) || "");
  const keep = (next) => {
    unsent.set(place, next);
    setText(next);
  };
  return [text, keep];
}

export function Composer({ chat, me, topic, index, answering, onAnswered, files, setFiles, onFiles }) {
  const field = useRef(null);
  const chooser = useFileChooser(onFiles);
  const [recording, setRecording] = useState(null);
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

  const nothing = !text.trim() && !files.length;
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
    if (nothing) return;
    setText("");
    setFiles([]);
    onAnswered();
    // What could not be sent is put back.
    if (files.length && !editing) {
      const left = await sendFiles(chat.key, message({ text: written }), files);
      setFiles(left.items);
      if (left.words) setText(left.words);
      return;
    }
    const done = editing ? edit(editing, me, written) : send(chat.key, message({ text: written }));
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
    if (!event.clipboardData.files.length) return;
    event.preventDefault();
    onFiles(event.clipboardData.files);
  };
  const sendSticker = (sticker, isEmoji) => {
    onAnswered();
    return send(chat.key, message(isEmoji ? customEmoji(sticker) : { sticker: sticker.file_id }));
  };
  const startRecording = async () => setRecording((await attempt(record)) || null);
  const sendRecording = async () => {
    const note = await recording.finish();
    onAnswered();
    const left = await sendFiles(chat.key, message({ text: "" }), [note]);
    setFiles(left.items);
    setRecording(null);
  };
  const throwDie = () => send(chat.key, message({ content: { dice: { emoji: "🎲", value: 1 + Math.floor(6 * Math.random()) } } }));
  const members = chat.type === "private" ? null : chat.members;
  if (recording) {
    return html`<div class="composer">
      <${VoiceRecorder} recording=${recording} onCancel=${() => setRecording(null)} onSend=${sendRecording} />
    </div>`;
  }
  return html`
    <form class="composer" onSubmit=${(event) => event.preventDefault()}>
      ${answering && html`<${AnsweringBar} answering=${answering} onStop=${stop} />`}
      <${Tray} files=${files} setFiles=${setFiles} />
      ${suggestions.list}
      <div class="composer-row">
        <${YouAre} me=${me} index=${index} ids=${members} compact />
        ${chooser.input}
        ${
          !editing &&
          html`<${AttachMenu}
            onFiles=${chooser.open}
            onRecord=${startRecording}
            onDice=${throwDie}
            place=${message({ chat: chat.key })}
            onSent=${onAnswered}
          />`
        }
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
        ${
          nothing && !editing
            ? html`<${IconButton} icon="mic" label="Record a voice note" onClick=${startRecording} />`
            : html`<${IconButton} icon="send" label=${editing ? "Save" : "Send"} class="send" disabled=${nothing} onClick=${submit} />`
        }
      </div>
    </form>
  `;
}
