// Shortens a message to one line, for the list of chats, for quotes and for screen readers.
import { shownName } from "/web/parts/file_name.js";

const LONGEST = 140;
const FILES = { voice: "Voice message", audio: "Audio", video: "Video", animation: "GIF", video_note: "Video message" };

const CONTENTS = { location: "Location", venue: "Place", contact: "Contact", poll: "Poll", dice: "Dice" };

function thing(content) {
  const [[field, value]] = Object.entries(content);
  const more = value.title || value.question || value.first_name || value.value;
  return [CONTENTS[field] || field.replace("_", " "), more].filter(Boolean).join(": ");
}

function attached(message) {
  if (message.content) return thing(message.content);
  if (message.photo) return "Photo";
  if (message.sticker) return `Sticker ${message.sticker.emoji || ""}`.trim();
  return message.file ? FILES[message.file.kind] || shownName(message.file.name) || "File" : "";
}

export function excerpt(message) {
  const words = message.text || message.caption;
  return [attached(message), words].filter(Boolean).join(": ").slice(0, LONGEST) || message.service || "Message";
}
