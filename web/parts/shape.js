// The room of a picture.
const HIGHEST = 360;
const NARROWEST = 96;

/**
 * The room of a picture is reserved before it is loaded, so that nothing jumps. The size of some pictures is unknown.
 */
export function shape({ width, height }) {
  if (!width || !height) return undefined;
  const shown = Math.max(Math.round(Math.min(width, (HIGHEST * width) / height)), NARROWEST);
  return { aspectRatio: `${width} / ${height}`, width: `${shown}px`, maxHeight: `${HIGHEST}px` };
}
