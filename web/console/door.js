// Signs the owner in. Inside Telegram, the address contains signed data about who opened the page (initData), which the
// function checks. On a desk, a button leads to Telegram's login.
const { door, signed, login, claimed } = document.documentElement.dataset;
const KEPT = "lull.telegram";

const show = (text) => {
  document.getElementById("text").textContent = text;
};

function showLogin() {
  if (claimed !== "yes") return show("Nobody has claimed an agent here yet. Write to the agent's bot: its first answer, or the terminal, says how.");
  if (login !== "yes") return show("Open this page inside Telegram: write /console to your agent.");
  show("This is your agent's console.");
  document.getElementById("login").hidden = false;
}

/** Keeps for the page what Telegram says about its app, and returns the signed data. */
function takeLaunch() {
  const given = new URLSearchParams(location.hash.slice(1));
  const data = given.get("tgWebAppData");
  if (!data) return "";
  history.replaceState(null, "", location.pathname);
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
    // without storage, too
  }
  return data;
}

async function enter(data) {
  const response = await fetch(`${door}/telegram`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-lull-console": "1" },
    body: JSON.stringify({ init_data: data, framed: window.parent !== window }),
  });
  if (response.ok) location.replace("/");
  else show("This did not work. Close this page, and open it again from the chat.");
}

const data = takeLaunch();
if (data && signed !== "yes") enter(data).catch(() => show("There is no connection. Try again."));
else if (signed === "yes") location.replace("/");
else showLogin();
