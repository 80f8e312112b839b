// Writes existing Opus packets into an OGG file, the format of Telegram's voice notes (RFC 3533, RFC 7845).

const POLYNOMIAL = 0x04c11db7;
const FIRST = 2;
const LAST = 4;
const MOST_SEGMENTS = 255;
const SERIAL = 1;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ (crc & 0x80000000 ? POLYNOMIAL : 0);
  return crc;
});

const checksum = (bytes) => bytes.reduce((crc, byte) => (crc << 8) ^ TABLE[(crc >>> 24) ^ byte], 0) >>> 0;

/** The number of samples at 48 kHz in a packet, read from its first byte (RFC 6716, 3.1). */
export function samplesIn(packet) {
  const mode = packet[0] >> 3;
  const sizes = mode < 12 ? [480, 960, 1920, 2880] : mode < 16 ? [480, 960] : [120, 240, 480, 960];
  const frames = [1, 2, 2, packet[1] & 63][packet[0] & 3];
  return frames * sizes[mode % sizes.length];
}

const segmentsOf = ({ length }) => [...Array(Math.floor(length / 255)).fill(255), length % 255];

function page(number, flags, granule, packets) {
  const segments = packets.flatMap(segmentsOf);
  const size = packets.reduce((sum, packet) => sum + packet.length, 0);
  const bytes = new Uint8Array(27 + segments.length + size);
  const view = new DataView(bytes.buffer);
  bytes.set([0x4f, 0x67, 0x67, 0x53, 0, flags]);
  view.setBigUint64(6, BigInt(granule), true);
  view.setUint32(14, SERIAL, true);
  view.setUint32(18, number, true);
  bytes[26] = segments.length;
  bytes.set(segments, 27);
  let at = 27 + segments.length;
  for (const packet of packets) {
    bytes.set(packet, at);
    at += packet.length;
  }
  view.setUint32(22, checksum(bytes), true);
  return bytes;
}

const TAGS = new Uint8Array([...new TextEncoder().encode("OpusTags"), 4, 0, 0, 0, ...new TextEncoder().encode("lull"), 0, 0, 0, 0]);

/** As many pages as are needed for the packets. */
function filled(packets) {
  const pages = [[]];
  let used = 0;
  for (const packet of packets) {
    const needed = segmentsOf(packet).length;
    if (used + needed > MOST_SEGMENTS) {
      pages.push([]);
      used = 0;
    }
    pages.at(-1).push(packet);
    used += needed;
  }
  return pages;
}

/** The pages of the whole file. */
export function oggOf({ head, packets }) {
  let granule = 0;
  const pages = filled(packets);
  const sound = pages.map((inside, at) => {
    granule += inside.reduce((sum, packet) => sum + samplesIn(packet), 0);
    return page(at + 2, at === pages.length - 1 ? LAST : 0, granule, inside);
  });
  return [page(0, FIRST, 0, [head]), page(1, 0, 0, [TAGS]), ...sound];
}
