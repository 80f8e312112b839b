// A message in one line: for the list, for quotes and for screen readers.
const LONGEST = 140;
const FILES = { voice: "Voice message", audio: "Audio", video: "Video", animation: "GIF", video_note: "Video message" };

function attached(message) {
  if (message.photo) return "Photo";
  if (message.sticker) return `Sticker ${message.sticker.emoji || ""}`.trim();
  return message.file ? FILES[message.file.kind] || message.file.name || "File" : "";
}

export function excerpt(message) {
  const words = message.text || message.caption;
  return [attached(message), words].filter(Boolean).join(": ").slice(0, LONGEST) || message.service || "Message";
}
