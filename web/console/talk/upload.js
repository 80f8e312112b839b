// Sends one file. It uses XMLHttpRequest, since fetch does not report the progress of an upload.
import { ApiError, answerOf } from "../api.js";
import { t } from "../words.js";

const PAUSES_MS = [500, 1500, 4000];
const LATER = (problem) => problem.status === 0 || problem.status >= 500;

const pause = (ms, signal) =>
  new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    });
  });

const cancelled = () => new DOMException("", "AbortError");

function once(path, told, file, { onShare, signal }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open("POST", path);
    request.setRequestHeader("x-lull-console", "1");
    request.setRequestHeader("content-type", "application/octet-stream");
    request.upload.onprogress = (event) => event.lengthComputable && onShare(event.loaded / event.total);
    request.onload = () => {
      const headers = { "content-type": request.getResponseHeader("content-type") || "" };
      answerOf(new Response(request.responseText, { status: request.status, headers })).then(resolve, reject);
    };
    request.onerror = () => reject(new ApiError(0, t("common.unreachable")));
    request.onabort = () => reject(cancelled());
    request.onloadend = () => signal.removeEventListener("abort", abort);
    signal.addEventListener("abort", abort);
    // the first line is a JSON object about the file
    request.send(new Blob([JSON.stringify(told), "\n", file]));
  });
}

/**
 * Sends a file with the fields `told`: {id, as, name, text, seconds, reply_to}. Without a response it is sent again with
 * the same number, so it is stored once. `onShare` gets the share that was sent (0 to 1). Throws an ApiError, or an
 * AbortError.
 */
export async function upload(path, told, file, { onShare, signal }) {
  for (const ms of PAUSES_MS) {
    try {
      return await once(path, told, file, { onShare, signal });
    } catch (problem) {
      if (!LATER(problem)) throw problem;
      onShare(0);
      await pause(ms, signal);
      if (signal.aborted) throw cancelled();
    }
  }
  return once(path, told, file, { onShare, signal });
}
