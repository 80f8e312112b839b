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

export const doing = ({ action }) => ACTIONS[action] || "is typing";
