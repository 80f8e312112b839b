// Finds the Opus packets in a WebM file that a browser recorded.

// The elements that contain the wanted elements. Their length is often unknown in a recording, and is ignored.
const HOLDERS = [0x1a45dfa3, 0x18538067, 0x1654ae6b, 0xae, 0x1f43b675, 0xa0];
const CODEC_PRIVATE = 0x63a2;
const BLOCKS = [0xa3, 0xa1];
const BLOCK_HEAD = 4; // the number of the track (one byte below 127), the time, the flags

const marked = (byte) => Math.clz32(byte) - 23; // the length of a number, which its first byte tells

function numberAt(bytes, at, length, mask) {
  let value = bytes[at] & mask;
  for (let next = 1; next < length; next += 1) value = value * 256 + bytes[at + next];
  return value;
}

function* elements(bytes) {
  let at = 0;
  while (at < bytes.length) {
    const idLength = marked(bytes[at]);
    const id = numberAt(bytes, at, idLength, 0xff);
    const sizeLength = marked(bytes[at + idLength]);
    const size = numberAt(bytes, at + idLength, sizeLength, 0xff >> sizeLength);
    at += idLength + sizeLength;
    if (HOLDERS.includes(id)) continue;
    yield { id, body: bytes.subarray(at, at + size) };
    at += size;
  }
}

/** {head, packets}: the OpusHead and every packet. Null if this is not a WebM file with Opus. */
export function opusIn(bytes) {
  let head = null;
  const packets = [];
  for (const { id, body } of elements(bytes)) {
    if (id === CODEC_PRIVATE) head = body;
    if (BLOCKS.includes(id)) packets.push(body.subarray(BLOCK_HEAD));
  }
  return head && packets.length ? { head, packets } : null;
}
