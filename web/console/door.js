// Signs the owner in. Inside Telegram, the address contains signed data about who opened the page (initData), which the
// function checks. On a desk, a button leads to Telegram's login.
//
// In an ordinary browser, such data comes from a link, which anybody can make: it would sign somebody in as another owner.
// So it counts only where a Telegram app runs the page. The local Telegram opens an ordinary tab (data-launch="anywhere").
const page = document.documentElement;
const { door, signed, login, claimed, launch } = page.dataset;
const KEPT = "lull.telegram";

let words = JSON.parse(page.dataset.words);

const show = (name) => {
  document.getElementById("text").textContent = words[name];
};

function showLogin() {
  if (claimed !== "yes") return show("unclaimed");
  if (login !== "yes") return show("use_telegram");
  show("is_yours");
  document.getElementById("login").hidden = false;
}

/** The three ways in which Telegram's own script for Mini Apps talks to the app. Only Telegram may frame this page. */
const isInTelegram = () =>
  Boolean(window.TelegramWebviewProxy) || Boolean(window.external && "notify" in window.external) || window.parent !== window;

/** Stores Telegram's facts about its app for the console's page, and returns the signed data. */
function takeLaunch() {
  const given = new URLSearchParams(location.hash.slice(1));
  const data = given.get("tgWebAppData");
  if (!data) return "";
  history.replaceState(null, "", location.pathname);
  if (launch !== "anywhere" && !isInTelegram()) return "";
  let theme = {};
  try {
    theme = JSON.parse(given.get("tgWebAppThemeParams") || "{}");
  } catch {
    // the page then has its own colours
  }
  const kept = { theme, platform: given.get("tgWebAppPlatform") || "", version: given.get("tgWebAppVersion") || "" };
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // it also works without storage
  }
  return data;
}

async function enter(data, known) {
  const response = await fetch(`${door}/telegram`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-lull-console": "1" },
    body: JSON.stringify({ init_data: data, framed: window.parent !== window }),
  });
  if (response.ok) return location.replace("/");
  await known;
  show(claimed === "yes" ? "enter_failed" : "unclaimed");
}

/** Switches to the Telegram app's language if the browser has another one. */
async function useLanguageOf(data) {
  const user = JSON.parse(new URLSearchParams(data).get("user") || "{}");
  const language = user.language_code || page.lang;
  if (language.split("-")[0] === page.lang.split("-")[0]) return;
  const response = await fetch(`${door}/words/${encodeURIComponent(language)}`);
  if (!response.ok) return;
  const told = await response.json();
  words = told.words;
  page.lang = told.language;
  page.dir = told.direction;
  show("wait");
}

const data = takeLaunch();
if (data && signed !== "yes") {
  const known = useLanguageOf(data).catch(() => {}); // without it, the page speaks the browser's language
  enter(data, known).catch(() => known.then(() => show("no_connection")));
}
else if (signed === "yes") location.replace("/");
else showLogin();
