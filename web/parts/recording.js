// Records a voice note from the microphone in Telegram's format, OGG with Opus. If a browser records Opus as WebM, the
// packets are written into an OGG file. If it can record neither, the recording is sent as it is.
import { oggOf } from "./ogg.js";
import { opusIn } from "./webm.js";
import { t } from "./words.js";

const FORMATS = [
  ["audio/ogg;codecs=opus", "ogg"],
  ["audio/webm;codecs=opus", "webm"],
  ["audio/mp4", "m4a"],
];
const REFUSALS = { NotAllowedError: "parts.mic_blocked", NotFoundError: "parts.mic_missing", NotReadableError: "parts.mic_busy" };

async function microphone() {
  if (!navigator.mediaDevices?.getUserMedia || !window.MediaRecorder)
    throw new Error(t("parts.mic_none"));
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch (refused) {
    throw new Error(t(REFUSALS[refused.name] || "parts.mic_failed"));
  }
}

/** {level, close}: `level()` returns the current loudness, from 0 to 1. */
function meter(stream) {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const level = () => {
    analyser.getFloatTimeDomainData(samples);
    return Math.min(1, 4 * Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length));
  };
  return { level, close: () => context.close() };
}

async function asOgg(parts) {
  const opus = opusIn(new Uint8Array(await new Blob(parts).arrayBuffer()));
  return opus && new File(oggOf(opus), "voice.ogg", { type: "audio/ogg" });
}

/** Starts to record at once. If that is impossible, throws an Error whose message is a sentence for the person. */
export async function record() {
  const stream = await microphone();
  const [mimeType, ending] = FORMATS.find(([type]) => MediaRecorder.isTypeSupported(type)) || [undefined, "webm"];
  const recorder = new MediaRecorder(stream, { mimeType });
  const { level, close } = meter(stream);
  const parts = [];
  recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
  const since = performance.now();
  recorder.start();
  const seconds = () => (performance.now() - since) / 1000;
  const stop = () =>
    new Promise((resolve) => {
      if (recorder.state === "inactive") return resolve();
      recorder.addEventListener("stop", resolve, { once: true });
      recorder.stop();
      for (const track of stream.getTracks()) track.stop();
      close();
    });
  /** The recording as an attachment. */
  const finish = async () => {
    const duration = seconds();
    await stop();
    const type = (recorder.mimeType || "audio/webm").split(";")[0];
    const ogg = type === "audio/webm" ? await asOgg(parts) : null;
    return { file: ogg || new File(parts, `voice.${ending}`, { type }), kind: "voice", duration, spoiler: false };
  };
  return { seconds, level, cancel: stop, finish };
}
