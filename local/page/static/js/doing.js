// What somebody is seen doing, under the Bot API's names of chat actions: "is typing".
const ACTIONS = {
  record_voice: "is recording a voice message",
  upload_voice: "is sending a voice message",
  record_video_note: "is recording a round video",
  upload_video_note: "is sending a round video",
  record_video: "is recording a video",
  upload_video: "is sending a video",
  upload_photo: "is sending a photo",
  upload_document: "is sending a file",
  choose_sticker: "is choosing a sticker",
  find_location: "is looking for a place",
};

const percent = ({ done, total }) => (total ? `${Math.floor((100 * done) / total)} %` : "");

// What the local model does before it can write: it comes, it starts, it reads what it is asked with.
function before({ state, answering, done_bytes: done, total_bytes: total }) {
  if (state === "downloading") return `waits for its model, which is downloaded: ${percent({ done, total })}`;
  if (state === "starting") return "waits for its model, which is starting";
  if (answering) return `is reading its instructions, once: ${percent({ done: answering.done_tokens, total: answering.total_tokens })}`;
  return null;
}

/** What one of `state.typing` does, in words that follow the name. */
export const doing = (state, { action, from }) =>
  ACTIONS[action] || (state.bots[from] && state.model && before(state.model)) || "is typing";
