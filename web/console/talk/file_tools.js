// The tools for files in the field in which the owner writes: the paper clip, the tray, the microphone, and pasting.
import { html, useState } from "../../parts/html.js";
import { once } from "../../parts/clicks.js";
import { IconButton } from "../../parts/icon.js";
import { record } from "../../parts/recording.js";
import { attempt } from "../../parts/toasts.js";
import { Tray } from "../../parts/tray.js";
import { VoiceRecorder } from "../../parts/voice_recorder.js";
import { t } from "../words.js";
import { AttachMenu } from "./attach_menu.js";

/**
 * {clip, tray, mic, recorder, onPaste, hasFiles}: parts of the field. During a recording, `recorder` replaces the field.
 * `attachments`: from useAttachments; `refocus` returns the focus to the field.
 */
export function useFileTools(attachments, refocus) {
  const [recording, setRecording] = useState(null);
  const start = async () => setRecording((await attempt(record)) || null);
  const stop = () => {
    setRecording(null);
    setTimeout(refocus);
  };
  const sendRecording = async () => {
    const note = await recording.finish();
    stop();
    attachments.sendVoice(note);
  };
  const onPaste = (event) => {
    if (!event.clipboardData?.files.length) return;
    event.preventDefault();
    attachments.add(event.clipboardData.files);
  };
  return {
    clip: html`<${AttachMenu} onFiles=${attachments.add} onLeft=${() => setTimeout(refocus)} />`,
    tray: html`<${Tray} files=${attachments.chosen} setFiles=${attachments.setChosen} />`,
    mic: html`<${IconButton} icon="mic" label=${t("files.record")} onClick=${once(start)} />`,
    recorder: recording && html`<${VoiceRecorder} recording=${recording} onCancel=${stop} onSend=${sendRecording} />`,
    onPaste,
    hasFiles: attachments.chosen.length > 0,
  };
}
