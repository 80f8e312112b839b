// The files that are being uploaded. They are shown in the field in which the owner writes, so that they stay visible.
import { html, useEffect, useMemo } from "../../parts/html.js";
import { size } from "../../parts/clock.js";
import { shownName } from "../../parts/file_name.js";
import { Icon, IconButton } from "../../parts/icon.js";
import { t } from "../words.js";

const ICONS = { photo: "photo", video: "play", audio: "music", voice: "wave" };

function Thumb({ item }) {
  const address = useMemo(() => item.kind === "photo" && URL.createObjectURL(item.file), [item.file]);
  useEffect(() => () => address && URL.revokeObjectURL(address), [address]);
  return address ? html`<img src=${address} alt="" />` : html`<${Icon} name=${ICONS[item.kind] || "file"} />`;
}

function Upload({ item, attachments }) {
  const name = item.kind === "voice" ? t("files.voice") : shownName(item.file.name);
  const label = t("files.sending", { name });
  return html`
    <li class=${`upload${item.problem ? " is-bad" : ""}`}>
      <${Thumb} item=${item} />
      <span class="upload-words">
        <span class="upload-name" dir="auto">${name}</span>
        ${
          item.problem
            ? html`<small role="alert">${item.problem}</small>`
            : html`<progress aria-label=${label} max="1" value=${item.share}></progress><small>${size(item.file.size)}</small>`
        }
      </span>
      ${item.problem && html`<button type="button" class="link" onClick=${() => attachments.again(item)}>${t("parts.try_again")}</button>`}
      <${IconButton} icon="close" size=${16} label=${t(item.problem ? "parts.leave_out" : "files.cancel", { name })} onClick=${() => attachments.cancel(item)} />
    </li>
  `;
}

/** `attachments`: from useAttachments. */
export const Uploads = ({ attachments }) =>
  attachments.uploads.length > 0 &&
  html`<ul class="uploads" aria-label=${t("files.on_their_way")}>${attachments.uploads.map((item) => html`<${Upload} key=${item.key} item=${item} attachments=${attachments} />`)}</ul>`;
