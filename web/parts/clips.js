// Films: videos with the browser's controls, round video messages, and GIFs that can be stopped.
import { html, useEffect, useRef, useState } from "./html.js";
import { clockTime } from "./clock.js";
import { labelled } from "./labelled.js";
import { usePage } from "./page.js";
import { shape } from "./shape.js";
import { Icon } from "./icon.js";
import { takesOver } from "./player.js";
import { t } from "./words.js";


export function Video({ file }) {
  const { fileAddress, useDescription } = usePage();
  const clip = useRef(null);
  const description = useDescription(file);
  const [failed, setFailed] = useState(false);
  const src = fileAddress(file);
  if (failed) return html`<p class="broken">${t("parts.cannot_play")} <a href=${src} download=${file.name}>${t("parts.save_named", { name: file.name })}</a></p>`;
  return html`
    <video
      ref=${clip}
      class="clip"
      style=${shape(file)}
      src=${src}
      controls
      playsinline
      preload="metadata"
      aria-label=${labelled(t("parts.video", { length: clockTime(file.duration || 0) }), description)}
      onPlay=${() => takesOver(clip.current)}
      onError=${() => setFailed(true)}
    ></video>
  `;
}

export function VideoNote({ file }) {
  const { fileAddress, useDescription } = usePage();
  const clip = useRef(null);
  const [on, setOn] = useState(false);
  const [failed, setFailed] = useState(false);
  const [length, setLength] = useState(file.duration || 0);
  const description = useDescription(file);
  const toggle = () => (on ? clip.current.pause() : clip.current.play().catch(() => setFailed(true)));
  return html`
    <button
      type="button"
      class=${`round${failed ? " is-broken" : ""}`}
      aria-label=${on ? t("parts.pause_round") : t("parts.play_round")}
      aria-description=${description || undefined}
      onClick=${toggle}
    >
      <video
        ref=${clip}
        src=${fileAddress(file)}
        playsinline
        preload="metadata"
        onPlay=${() => {
          takesOver(clip.current);
          setOn(true);
        }}
        onLoadedMetadata=${() => Number.isFinite(clip.current.duration) && setLength(clip.current.duration)}
        onPause=${() => setOn(false)}
        onError=${() => setFailed(true)}
      ></video>
      ${!on && !failed && html`<span class="round-sign"><${Icon} name="play" size=${28} /></span>`}
      <small>${failed ? t("parts.cannot_play") : clockTime(length)}</small>
    </button>
  `;
}

// The first picture of a GIF, as a still.
function Still({ src }) {
  const canvas = useRef(null);
  useEffect(() => {
    const picture = new Image();
    picture.onload = () => {
      if (!canvas.current) return;
      Object.assign(canvas.current, { width: picture.naturalWidth, height: picture.naturalHeight });
      canvas.current.getContext("2d").drawImage(picture, 0, 0);
    };
    picture.src = src;
  }, [src]);
  return html`<canvas ref=${canvas}></canvas>`;
}

function Film({ src, moving }) {
  const clip = useRef(null);
  useEffect(() => {
    if (moving) clip.current.play().catch(() => {}); // a browser that saves power may refuse
    else clip.current.pause();
  }, [moving]);
  return html`<video ref=${clip} src=${src} loop muted playsinline preload="auto"></video>`;
}

/** A GIF. It plays by itself unless the person's system is set to less motion. A click stops and starts it. */
export function Animation({ file }) {
  const { fileAddress, useDescription } = usePage();
  const [moving, setMoving] = useState(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  const description = useDescription(file);
  const src = fileAddress(file);
  const picture = file.mime_type.startsWith("image/");
  return html`
    <button
      type="button"
      class="photo animation"
      style=${shape(file)}
      aria-label=${t(moving ? "parts.gif_stop" : "parts.gif_play", { label: labelled("GIF", description) })}
      onClick=${() => setMoving(!moving)}
    >
      ${!picture && html`<${Film} src=${src} moving=${moving} />`}
      ${picture && (moving ? html`<img src=${src} alt="" />` : html`<${Still} src=${src} />`)}
      ${!moving && html`<span class="gif-sign" aria-hidden="true">GIF</span>`}
    </button>
  `;
}
