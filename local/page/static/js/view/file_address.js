// The address of a file's bytes, and the room that a picture will need.
const HIGHEST = 360;
const NARROWEST = 96;

export const fileAddress = (fileId) => `/world/files/${encodeURIComponent(fileId)}`;

/**
 * The room of a picture is reserved before it is loaded, so that nothing jumps. The size of some pictures is unknown.
 */
export function shape({ width, height }) {
  if (!width || !height) return undefined;
  const shown = Math.max(Math.round(Math.min(width, (HIGHEST * width) / height)), NARROWEST);
  return { aspectRatio: `${width} / ${height}`, width: `${shown}px`, maxHeight: `${HIGHEST}px` };
}
