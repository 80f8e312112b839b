// The console as a Mini App: Telegram's colours, its back button, and its events, without Telegram's own script.
//
// Telegram puts {theme, platform, version} into the address; the door (door.js) stores them in the session storage as
// "lull.telegram". Outside of Telegram nothing is stored, and this module does nothing.
// The protocol: core.telegram.org/api/web-events
const KEPT = "lull.telegram";

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    return null;
  }
}

const app = kept();

export const isMiniApp = Boolean(app);

const WEB_CLIENTS = ["https://web.telegram.org", "https://webk.telegram.org", "https://webz.telegram.org"];

/** Sends an event to the Telegram app around the page. */
function send(type, data = {}) {
  const text = JSON.stringify(data);
  if (window.TelegramWebviewProxy) window.TelegramWebviewProxy.postEvent(type, text);
  else if (window.external && "notify" in window.external) window.external.notify(JSON.stringify({ eventType: type, eventData: data }));
  else if (window.parent !== window) for (const client of WEB_CLIENTS) window.parent.postMessage(JSON.stringify({ eventType: type, eventData: data }), client);
}

const COLOUR = /^#[0-9a-f]{6}$/i;

function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const contrast = (one, other) => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const LEAST_CONTRAST = 4.5;

/** Maps the page's colour variables to colours of Telegram's theme, except those that would be hard to read. */
export function coloursOf(theme) {
  const given = Object.fromEntries(Object.entries(theme).filter(([, colour]) => COLOUR.test(colour)));
  const { bg_color: surface, secondary_bg_color: ground = surface, text_color: text } = given;
  if (!surface || !text || contrast(surface, text) < LEAST_CONTRAST || contrast(ground, text) < LEAST_CONTRAST) return {};
  const accent = [given.accent_text_color, given.link_color].find(
    (colour) => colour && [surface, ground].every((below) => contrast(colour, below) >= LEAST_CONTRAST),
  );
  const button = given.button_color && given.button_text_color && contrast(given.button_color, given.button_text_color) >= LEAST_CONTRAST;
  return {
    scheme: luminance(surface) < 0.2 ? "dark" : "light",
    "--surface": surface,
    "--theirs": surface,
    "--ground": ground,
    "--text": text,
    ...(accent && { "--accent": accent, "--accent-hover": accent, "--on-accent": surface }),
    ...(accent && button && { "--button": given.button_color, "--on-button": given.button_text_color }),
  };
}

function paint(theme) {
  const { scheme, ...colours } = coloursOf(theme || {});
  if (scheme) document.documentElement.dataset.theme = scheme;
  for (const [name, colour] of Object.entries(colours)) document.documentElement.style.setProperty(name, colour);
}

function receive(type, data) {
  if (type === "theme_changed") paint(data?.theme_params);
  if (type === "back_button_pressed") history.back();
}

/** Shows Telegram's back button, or hides it. */
export const showBack = (isVisible) => app && send("web_app_setup_back_button", { is_visible: isVisible });

/** Applies Telegram's colours, and reports to the app that the page is ready. */
export function startMiniApp() {
  if (!app) return;
  paint(app.theme);
  window.Telegram = { WebView: { receiveEvent: receive } };
  window.TelegramGameProxy = { receiveEvent: receive };
  addEventListener("message", (event) => {
    if (event.source !== window.parent || !WEB_CLIENTS.includes(event.origin)) return;
    try {
      const { eventType, eventData } = JSON.parse(event.data);
      receive(eventType, eventData);
    } catch {
      // messages of other frames need not be JSON
    }
  });
  send("web_app_ready");
  send("web_app_expand");
}
