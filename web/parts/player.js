// A player for sound: play, pause, seek, and the length. Only one player plays at a time.
import { html, useEffect, useRef, useState } from "./html.js";
import { clockTime } from "./clock.js";
import { waveOf } from "./wave.js";
import { Icon } from "./icon.js";
import { t } from "./words.js";

const FLAT = 40;

let playing = null; // the clip that is playing

/** Called when `clip` starts: pauses the clip that was playing, if it is another one. */
export function takesOver(clip) {
  if (playing && playing !== clip) playing.pause();
  playing = clip;
}

/**
 * The bars of a voice note. Those before `share` (0 to 1) have been played. All bars are flat until the wave form is
 * known.
 */
function Wave({ src, bytes, share }) {
  const [bars, setBars] = useState(null);
  useEffect(() => {
    let left = false;
    waveOf(src, bytes).then((found) => left || setBars(found));
    return () => {
      left = true;
    };
  }, [src]);
  const shown = bars || Array(FLAT).fill(0.15);
  return html`
    <span class="wave" aria-hidden="true" data-drawn=${bars ? "" : undefined}>
      ${shown.map((height, at) => html`<i class=${at < share * shown.length ? "is-heard" : ""} style=${{ height: `${Math.round(100 * height)}%` }}></i>`)}
    </span>
  `;
}

/** `wave`: whether the wave form is drawn, as for a voice note; `words`: the transcript, if it is known. */
export function Player({ src, duration, label, title, wave, bytes, words }) {
  const clip = useRef(null);
  const [state, setState] = useState({ on: false, at: 0, failed: false });
  useEffect(() => () => clip.current?.pause(), []);
  const set = (part) => setState((before) => ({ ...before, ...part }));
  const own = clip.current?.duration;
  const length = Number.isFinite(own) && own > 0 ? own : duration || 0;
  const toggle = () => (state.on ? clip.current.pause() : clip.current.play().catch(() => set({ failed: true })));
  const seek = (event) => {
    clip.current.currentTime = Number(event.target.value);
    set({ at: Number(event.target.value) });
  };
  const shown = clockTime(state.on || state.at ? state.at : length);
  const heard = t("parts.heard", { at: clockTime(state.at), length: clockTime(length) });
  return html`
    <div class=${`player${wave ? " has-wave" : ""}`} role="group" aria-label=${label} aria-description=${words ? t("parts.said_in_it", { words }) : undefined} title=${words || undefined}>
      <audio
        ref=${clip}
        src=${src}
        preload="metadata"
        onPlay=${() => {
          takesOver(clip.current);
          set({ on: true });
        }}
        onPause=${() => set({ on: false })}
        onEnded=${() => set({ on: false, at: 0 })}
        onTimeUpdate=${() => set({ at: clip.current.currentTime })}
        onLoadedMetadata=${() => set({})}
        onError=${() => set({ failed: true })}
      ></audio>
      <button type="button" class="play" aria-label=${t(state.on ? "parts.pause" : "parts.play", { label })} disabled=${state.failed} onClick=${toggle}>
        <${Icon} name=${state.on ? "pause" : "play"} />
      </button>
      <span class="player-words">
        ${title && html`<span class="player-title" dir="auto">${title}</span>`}
        ${
          state.failed
            ? html`<small>${t("parts.cannot_play")} <a href=${src} download>${t("parts.save")}</a></small>`
            : html`<span class="track">${wave && html`<${Wave} src=${src} bytes=${bytes} share=${state.at / (length || 1)} />`}<input
                type="range"
                min="0"
                max=${length || 1}
                step="0.1"
                value=${state.at}
                style=${{ "--heard": `${(100 * state.at) / (length || 1)}%` }}
                aria-label=${t("parts.position", { label })}
                aria-valuetext=${heard}
                onInput=${seek}
              /></span>`
        }
        <small>${shown}</small>
      </span>
    </div>
  `;
}
