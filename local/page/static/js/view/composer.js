// The composer, in which the person of a pane writes: text, files, stickers, a reply or an edit.
import { html, useEffect, useLayoutEffect, useRef, useState } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { attempt, edit, send, sendFiles, sendText } from "../actions.js";
import { toMarkdown } from "/web/parts/entities.js";
import { once } from "/web/parts/clicks.js";
import { chatName, fullName } from "../people.js";
import { record } from "/web/parts/recording.js";
import { keep, placeOf, putBack, useUnsent, whileSending } from "../unsent.js";
import { AnsweringBar } from "./answering_bar.js";
import { AttachMenu } from "./attach_menu.js";
import { useFileChooser } from "/web/parts/file_chooser.js";
import { IconButton } from "/web/parts/icon.js";
import { StickerPicker } from "./sticker_picker.js";
import { useSuggestions } from "./suggestions.js";
import { Tray } from "/web/parts/tray.js";
import { VoiceRecorder } from "/web/parts/voice_recorder.js";
import { YouAre } from "./you_are.js";

// Makes the field as high as its text, up to a limit that the style sheet sets.
function useHeight(ref, text) {
  useLayoutEffect(() => {
    if (!ref.current) return;
    ref.current.style.height = "auto";
    // the border is part of the height, but not of the scroll height
    const border = ref.current.offsetHeight - ref.current.clientHeight;
    ref.current.style.height = `${ref.current.scrollHeight + border}px`;
  }, [text]);
}

// Not done on a touch screen, where a focused field opens the keyboard.
const focusIfMouse = (ref) => matchMedia("(hover: hover)").matches && ref.current?.focus({ preventScroll: true });

/** A text that consists of one custom emoji. Apps that do not know the emoji show the usual one. */
const customEmoji = ({ emoji, custom_emoji_id: id }) => ({
  text: emoji,
  entities: [{ type: "custom_emoji", offset: 0, length: emoji.length, custom_emoji_id: id }],
});

export function Composer({ chat, me, topic, index, answering, onAnswered, onFiles }) {
  const field = useRef(null);
  const refocus = () => setTimeout(() => focusIfMouse(field)); // only after a menu or a dialog has given the focus back
  const chooser = useFileChooser(onFiles, refocus);
  const [recording, setRecording] = useState(null);
  const place = placeOf({ me, chat, topic });
  const unsent = useUnsent(place);
  const [edited, setEdited] = useState("");
  const name = useStore((state) => fullName(state.people[me]));
  const title = useStore((state) => chatName(state, chat));
  const editing = answering?.mode === "edit" ? answering.message : null;
  // An edit has its own text and no files. Other unsent text and files stay as they are.
  const text = editing ? edited : unsent.text;
  const files = editing ? [] : unsent.files;
  const setText = (next) => (editing ? setEdited(next) : keep(place, { text: next }));
  const suggestions = useSuggestions({ chat, me, field, text, setText });
  useHeight(field, text);
  // also after attaching and recording, so that Enter sends
  useEffect(() => focusIfMouse(field), [answering, files.length, recording]);
  useEffect(() => {
    if (editing) setEdited(toMarkdown(editing.text || editing.caption || "", editing.entities));
  }, [editing]);

  const nothing = !text.trim() && !files.length;
  const message = (more) => ({
    from: me,
    topic_id: topic ?? undefined,
    reply_to: answering?.mode === "reply" ? answering.message.message_id : undefined,
    ...more,
  });
  const submit = async () => {
    const written = text.trim();
    if (nothing) return;
    onAnswered();
    if (editing) {
      if ((await edit(editing, me, written)) === undefined) putBack(place, { text: written });
      return;
    }
    keep(place, { text: "", files: [] });
    if (files.length) await sendAll(written, files);
    else putBack(place, { text: await sendText(chat.key, message({ text: written })) });
  };
  const sendAll = async (written, items) => {
    const left = await whileSending(place, items.length, sendFiles(chat.key, message({ text: written }), items));
    putBack(place, { text: left.words, files: left.items });
  };
  const onKeyDown = (event) => {
    if (suggestions.onKeyDown(event) || event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      submit();
    } else if (event.key === "Escape" && answering) {
      event.stopPropagation();
      onAnswered();
    }
  };
  const onPaste = (event) => {
    if (!event.clipboardData.files.length) return;
    event.preventDefault();
    onFiles(event.clipboardData.files);
  };
  const sendSticker = (sticker, isEmoji) => {
    onAnswered();
    refocus();
    return send(chat.key, message(isEmoji ? customEmoji(sticker) : { sticker: sticker.file_id }));
  };
  const startRecording = async () => setRecording((await attempt(record)) || null);
  const sendRecording = async () => {
    const note = await recording.finish();
    onAnswered();
    setRecording(null);
    await sendAll("", [note]);
  };
  const throwDie = () => {
    refocus();
    return send(chat.key, message({ content: { dice: { emoji: "🎲", value: 1 + Math.floor(6 * Math.random()) } } }));
  };
  const onContentSent = () => {
    onAnswered();
    refocus();
  };
  const members = chat.type === "private" ? null : chat.members;
  if (recording) {
    return html`<div class="composer">
      <${VoiceRecorder} recording=${recording} onCancel=${() => setRecording(null)} onSend=${sendRecording} />
    </div>`;
  }
  return html`
    <form class="composer" onSubmit=${(event) => event.preventDefault()}>
      ${answering && html`<${AnsweringBar} answering=${answering} onStop=${onAnswered} />`}
      <${Tray} files=${files} setFiles=${(next) => keep(place, { files: next })} sending=${unsent.sending} mayCover />
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
            onSent=${onContentSent}
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
          // the second click of a double click on Send hits the microphone button, which has replaced Send
          nothing && !editing
            ? html`<${IconButton} icon="mic" label="Record a voice note" onClick=${once(startRecording)} />`
            : html`<${IconButton} icon="send" label=${editing ? "Save" : "Send"} class="send" disabled=${nothing} onClick=${once(submit)} />`
        }
      </div>
    </form>
  `;
}
