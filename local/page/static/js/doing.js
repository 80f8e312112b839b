// Words for actions such as "is typing", by the Bot API's names of chat actions.
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

// The stages before the local model can write: it is downloaded, it starts, it reads its instructions.
function before({ state, answering, done_bytes: done, total_bytes: total }) {
  if (state === "downloading") return `is waiting for the download of its model: ${percent({ done, total })}`;
  if (state === "starting") return "is waiting for its model to start";
  if (answering) return `is reading its instructions (only once): ${percent({ done: answering.done_tokens, total: answering.total_tokens })}`;
  return null;
}

/** Words for an entry of `state.typing`, to be shown after the name. */
export const doing = (state, { action, from }) =>
  ACTIONS[action] || (state.bots[from] && state.model && before(state.model)) || "is typing";
