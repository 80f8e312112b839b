// The name of a conversation, its address in the console, and the icon of its channel.
import { html } from "../../parts/html.js";
import { Icon } from "../../parts/icon.js";
import { t } from "../words.js";

const KIND_ICONS = { private: "person", direct: "person", group: "group", supergroup: "group", channel: "bell" };

/** The name of the step that made a decision. */
export const tierOf = (tier) => t(`metrics.tier_${tier.replace("-", "_")}`);

export const placeOf = (id) => `/conversations/${encodeURIComponent(id)}`;
export const nameOf = (row) => row.title || t("conversations.new");

export const ChannelIcon = ({ row, size = 16 }) => html`
  <span class="talk-channel" title=${t(`conversations.channel_${row.channel}`)}>
    <${Icon} name=${row.channel === "web" ? "globe" : "telegram"} size=${size} />
    <${Icon} name=${KIND_ICONS[row.kind] || "bubble"} size=${size} />
    <span class="hidden">${t(`conversations.channel_${row.channel}`)}, ${t(`conversations.kind_${row.kind}`)}</span>
  </span>
`;
