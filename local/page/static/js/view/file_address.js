// Where the bytes of a file are, and the room that a picture will take.
const HIGHEST = 360;
const NARROWEST = 96;

export const fileAddress = (fileId) => `/world/files/${encodeURIComponent(fileId)}`;

/** The place of a picture is kept free before it is there, so that nothing jumps; nothing is known of some. */
export function shape({ width, height }) {
  if (!width || !height) return undefined;
  const shown = Math.max(Math.round(Math.min(width, (HIGHEST * width) / height)), NARROWEST);
  return { aspectRatio: `${width} / ${height}`, width: `${shown}px`, maxHeight: `${HIGHEST}px` };
}
