// An animated sticker: gzipped Lottie, drawn by a library that is loaded when the first such sticker is shown.
import { html, useEffect, useRef } from "./html.js";

const LARGEST = 4 * 2 ** 20; // the largest unpacked size in bytes; Telegram's own stickers are far smaller

async function unpacked(src) {
  const packed = (await fetch(src)).body.pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts = [];
  let size = 0;
  for (let { done, value } = await packed.read(); !done; { done, value } = await packed.read()) {
    size += value.length;
    if (size > LARGEST) {
      packed.cancel();
      throw new Error("the sticker is too large");
    }
    parts.push(value);
  }
  return JSON.parse(await new Blob(parts).text());
}

// A sticker must not contain pictures, since the browser would fetch them.
const harmless = (drawing) => ({ ...drawing, assets: (drawing.assets || []).filter((asset) => !("p" in asset)), fonts: undefined });

async function player() {
  await import("../vendor/lottie_light.min.js");
  return globalThis.lottie;
}

export function Shapes({ src, label, onError }) {
  const place = useRef(null);
  useEffect(() => {
    let left = false;
    let animation = null;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    Promise.all([unpacked(src), player()])
      .then(([drawing, lottie]) => {
        if (left) return;
        animation = lottie.loadAnimation({ container: place.current, renderer: "svg", loop: true, autoplay: !still, animationData: harmless(drawing) });
      })
      .catch(() => left || onError());
    return () => {
      left = true;
      animation?.destroy();
    };
  }, [src]);
  return html`<span ref=${place} class="sticker" role="img" aria-label=${label}></span>`;
}
