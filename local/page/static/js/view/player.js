// Sound: play and pause, seek, how long. One plays at a time.
import { html, useEffect, useRef, useState } from "../html.js";
import { clockTime } from "../clock.js";
import { Icon } from "./icon.js";

let playing = null; // the clip that is heard

/** Pauses what is heard, if that is another clip. */
export function takesOver(clip) {
  if (playing && playing !== clip) playing.pause();
  playing = clip;
}

export function Player({ src, duration, label, title }) {
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
  const heard = `${clockTime(state.at)} of ${clockTime(length)}`;
  return html`
    <div class="player" role="group" aria-label=${label}>
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
      <button type="button" class="play" aria-label=${`${state.on ? "Pause" : "Play"} ${label}`} disabled=${state.failed} onClick=${toggle}>
        <${Icon} name=${state.on ? "pause" : "play"} />
      </button>
      <span class="player-words">
        ${title && html`<span class="player-title" dir="auto">${title}</span>`}
        ${
          state.failed
            ? html`<small>This browser cannot play it. <a href=${src} download>Save it</a></small>`
            : html`<input
                type="range"
                min="0"
                max=${length || 1}
                step="0.1"
                value=${state.at}
                style=${{ "--heard": `${(100 * state.at) / (length || 1)}%` }}
                aria-label=${`Position in ${label}`}
                aria-valuetext=${heard}
                onInput=${seek}
              />`
        }
        <small>${shown}</small>
      </span>
    </div>
  `;
}
