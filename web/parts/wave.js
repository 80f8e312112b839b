// The wave form of a voice note: its loudness along its length. Telegram's apps draw it; the Bot API does not contain
// it.
const BARS = 40;
const RATE = 8000; // samples a second are plenty for a picture
const LARGEST = 4 * 2 ** 20;
const QUIETEST = 0.08;

const read = new Map(); // the promise of the bars of each file, by address

/**
 * As many heights as there are bars, from 0 to 1. Null if the browser cannot read the sound, or if the file is too
 * large.
 */
export function waveOf(address, bytes = 0) {
  if (!read.has(address)) read.set(address, bytes > LARGEST ? Promise.resolve(null) : drawn(address).catch(() => null));
  return read.get(address);
}

async function drawn(address) {
  const content = await (await fetch(address)).arrayBuffer();
  const sound = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(content);
  return barsOf(sound.getChannelData(0));
}

/** The height of each bar: the loudest sample of that part of the sound, in proportion to the loudest sample of all. */
export function barsOf(samples, count = BARS) {
  const loudest = Array.from({ length: count }, (_, bar) => {
    const end = Math.ceil(((bar + 1) * samples.length) / count);
    let peak = 0;
    for (let at = Math.floor((bar * samples.length) / count); at < end; at += 1) peak = Math.max(peak, Math.abs(samples[at]));
    return peak;
  });
  const top = Math.max(...loudest);
  return loudest.map((peak) => Math.max(QUIETEST, top ? peak / top : 0));
}
