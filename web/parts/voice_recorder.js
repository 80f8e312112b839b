// Replaces the composer while a voice note is recorded: shows its length and loudness, with buttons for discarding and
// sending it.
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { clockTime } from "./clock.js";
import { IconButton } from "./icon.js";
import { t } from "./words.js";

const LOOK_MS = 100;

export function VoiceRecorder({ recording, onCancel, onSend }) {
  const [now, setNow] = useState({ seconds: 0, level: 0 });
  const place = useRef(null);
  const [busy, setBusy] = useState(false);
  useLayoutEffect(() => place.current.querySelector(".send").focus(), []);
  useEffect(() => {
    const look = () => setNow({ seconds: recording.seconds(), level: recording.level() });
    const timer = setInterval(look, LOOK_MS);
    return () => {
      clearInterval(timer);
      recording.cancel();
    };
  }, [recording]);
  const onKeyDown = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onCancel();
  };
  const send = () => {
    setBusy(true);
    onSend();
  };
  return html`
    <div ref=${place} class="recording" role="group" aria-label=${t("parts.recording")} onKeyDown=${onKeyDown}>
      <${IconButton} icon="trash" label=${t("parts.recording_discard")} onClick=${onCancel} />
      <span class="recording-dot" aria-hidden="true"></span>
      <span class="recording-time" role="timer">${clockTime(now.seconds)}</span>
      <span class="recording-level" aria-hidden="true"><i style=${{ transform: `scaleX(${now.level})` }}></i></span>
      <span class="hidden" role="status">${t("parts.recording_hint")}</span>
      <${IconButton} icon="send" class="send" label=${t("parts.recording_send")} disabled=${busy} onClick=${send} />
    </div>
  `;
}
