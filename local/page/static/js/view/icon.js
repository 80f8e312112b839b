// Line icons, 24 × 24, in the colour of the text around them. They are only decoration: buttons have labels of their
// own.
import { html } from "../html.js";

const PATHS = {
  back: "M15 5l-7 7 7 7",
  beside: "M4 5h16v14H4zM12 5v14",
  bubble:
    "M5 5h14a1.5 1.5 0 0 1 1.5 1.5v8.5a1.5 1.5 0 0 1-1.5 1.5h-7l-4.5 3.5v-3.5H5A1.5 1.5 0 0 1 3.5 15V6.5A1.5 1.5 0 0 1 5 5z",
  clip: "M19 11.5l-7 7a4.6 4.6 0 0 1-6.5-6.5l7.5-7.5a3 3 0 0 1 4.3 4.3l-7.4 7.4a1.5 1.5 0 0 1-2.1-2.1l6.7-6.7",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h10v11H9zM6 15H5V4h10v2",
  dice: "M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01",
  down: "M12 5v14M6 13l6 6 6-6",
  edit: "M4 20h4L19 9l-4-4L4 16zM13.5 6.5l4 4",
  eye: "M2.5 12s3.5-6 9.5-6 9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6zM12 9.3a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4z",
  file: "M6 3.5h8l4.5 4.5v12.5H6zM14 3.5V8h4.5",
  group:
    "M9 11a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 9 11zM3 19.5c0-3.3 2.7-5.5 6-5.5s6 2.2 6 5.5M15.5 4.9a3.2 3.2 0 0 1 0 5.9M17.5 14.5c2.1.7 3.5 2.5 3.5 5",
  info: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5.5M12 7.7v.1",
  more: "M5.5 12h.01M12 12h.01M18.5 12h.01",
  mic: "M12 14.5a3 3 0 0 0 3-3v-5a3 3 0 0 0-6 0v5a3 3 0 0 0 3 3zM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  music: "M9 17.5V5.5l10-2v12M9 17.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM19 15.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z",
  outside: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.5 12h17M12 3.5c-5 4.5-5 12.5 0 17M12 3.5c5 4.5 5 12.5 0 17",
  panel: "M4 5h16v14H4zM14.5 5v14",
  pause: "M8 5.5v13M16 5.5v13",
  person: "M12 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM5 20c0-3.6 3-6 7-6s7 2.4 7 6",
  photo: "M4 5h16v14H4zM4 16l4.5-4.5 4 4 3-3L20 17M15.5 9h.01",
  pin: "M12 21c4.5-4.5 6.5-7.6 6.5-10.5a6.5 6.5 0 0 0-13 0C5.5 13.4 7.5 16.5 12 21zM12 8.2a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6z",
  play: "M7.5 5l11 7-11 7z",
  plus: "M12 5v14M5 12h14",
  poll: "M5 20v-7M12 20V4M19 20v-11",
  reply: "M10 6L4 12l6 6M4.5 12H14c3.5 0 6 2 6 6",
  round: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM10 8.5l5.5 3.5-5.5 3.5z",
  send: "M4.5 12L20 4.5 15 20l-3.5-6.5zM11.5 13.5L20 4.5",
  smile: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM8.5 14c.8 1.3 2 2 3.5 2s2.7-.7 3.5-2M9 9.5v.1M15 9.5v.1",
  sticker: "M13 20H7a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3v6zM13 20v-4a3 3 0 0 1 3-3h4M9 9.5v.1M14 9.5v.1",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13",
  wave: "M4 10v4M8 6.5v11M12 4v16M16 7.5v9M20 10.5v3",
  warning: "M12 4L2.5 20h19zM12 10.5v4M12 17.3v.1",
};

export const Icon = ({ name, size = 20 }) => html`
  <svg class="icon" width=${size} height=${size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d=${PATHS[name]} />
  </svg>
`;

export const IconButton = ({ icon, label, pressed, size, ...rest }) => html`
  <button
    type="button"
    ...${rest}
    class=${`icon-button ${rest.class || ""}`}
    aria-label=${label}
    title=${label}
    aria-pressed=${pressed}
  >
    <${Icon} name=${icon} size=${size} />
  </button>
`;
