// The console's values for the page context of the shared parts (web/parts/page.js).
import { html } from "../parts/html.js";
import { Dialog } from "../parts/dialog.js";
import { openDialog } from "../parts/dialogs.js";
import { toast } from "../parts/toasts.js";
import { t } from "./words.js";

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("common.copied"));
  } catch {
    toast(t("common.not_copied"), { isBad: true });
  }
}

const showPhoto = ({ src, label }) =>
  openDialog(({ close }) => html`<${Dialog} title=${t("parts.photo")} wide onClose=${close}><img class="large-photo" src=${src} alt=${label} /><//>`);

export const page = {
  fileAddress: (file) => file.address || "",
  useDescription: (file) => file?.description || "",
  useName: (user) => [user?.first_name, user?.last_name].filter(Boolean).join(" "),
  useCustomEmoji: () => undefined,
  showPhoto,
  copy,
  sendCommand: null,
};
