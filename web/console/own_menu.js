// The owner's own menu: the theme, the keys, and signing out.
import { html, useState } from "../parts/html.js";
import { confirm } from "../parts/dialogs.js";
import { Icon } from "../parts/icon.js";
import { MenuButton, MenuItem } from "../parts/menu.js";
import { switchTheme, theme } from "../parts/theme.js";
import { attempt } from "../parts/toasts.js";
import { showKeys } from "./keys.js";
import { signOut } from "./session.js";
import { isMiniApp } from "./telegram.js";
import { t } from "./words.js";

async function leave() {
  const isSure = await confirm({ title: t("common.sign_out_title"), text: t("common.sign_out_text"), action: t("common.sign_out") });
  if (isSure) await attempt(signOut);
}

export function OwnMenu() {
  const [isDark, setDark] = useState(theme() === "dark");
  const turn = () => {
    switchTheme();
    setDark(theme() === "dark");
  };
  return html`
    <${MenuButton} class="icon-button" align="end" label=${t("common.menu")} button=${html`<${Icon} name="more" />`}>
      ${(close) => {
        const then = (act) => () => {
          close();
          act();
        };
        return html`
          ${!isMiniApp && html`<${MenuItem} onPick=${then(turn)}><${Icon} name=${isDark ? "sun" : "moon"} />${t(isDark ? "common.light" : "common.dark")}<//>`}
          <${MenuItem} onPick=${then(showKeys)}><${Icon} name="keys" />${t("common.keys")}<//>
          <${MenuItem} onPick=${then(leave)}><${Icon} name="leave" />${t("common.sign_out")}<//>
        `;
      }}
    <//>
  `;
}
