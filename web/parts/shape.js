// The space that a picture takes.
const HIGHEST = 360;
const NARROWEST = 96;

/**
 * The style that reserves a picture's space before it is loaded, so that nothing jumps. Some sizes are unknown.
 */
export function shape({ width, height }) {
  if (!width || !height) return undefined;
  const shown = Math.max(Math.round(Math.min(width, (HIGHEST * width) / height)), NARROWEST);
  return { aspectRatio: `${width} / ${height}`, width: `${shown}px`, maxHeight: `${HIGHEST}px` };
}
