// All views, in the order of the navigation. The first is always beside the others, so it is part of the page. Each other
// one is loaded when it is opened.
import { t } from "../words.js";
import { view as conversations } from "./conversations.js";

export const views = [
  conversations,
  { name: "talk", path: "/talk", title: () => t("talk.title"), icon: "send", load: () => import("./talk.js") },
  { name: "search", path: "/search", title: () => t("search.title"), icon: "search", load: () => import("./search.js") },
  { name: "turns", path: "/turns", title: () => t("turns.title"), icon: "list", load: () => import("./turns.js") },
  { name: "trouble", path: "/trouble", title: () => t("trouble.title"), icon: "heart", load: () => import("./trouble.js") },
  { name: "approvals", path: "/approvals", title: () => t("approvals.title"), icon: "check", load: () => import("./approvals.js") },
  { name: "people", path: "/people", title: () => t("people.title"), icon: "group", load: () => import("./people.js") },
  { name: "external", path: "/external", title: () => t("external.short"), icon: "outside", load: () => import("./external.js") },
  { name: "costs", path: "/costs", title: () => t("costs.title"), icon: "coins", load: () => import("./costs.js") },
  { name: "reminders", path: "/reminders", title: () => t("reminders.title"), icon: "bell", load: () => import("./reminders.js") },
  { name: "memories", path: "/memories", title: () => t("memories.title"), icon: "book", load: () => import("./memories.js") },
  { name: "summaries", path: "/summaries", title: () => t("summaries.title"), icon: "calendar", load: () => import("./summaries.js") },
  { name: "media", path: "/media", title: () => t("media.title"), icon: "photo", load: () => import("./media.js") },
  { name: "personas", path: "/personas", title: () => t("personas.title"), icon: "smile", load: () => import("./personas.js") },
  { name: "metrics", path: "/metrics", title: () => t("metrics.title"), icon: "poll", load: () => import("./metrics.js") },
  { name: "records", path: "/records", title: () => t("records.title"), icon: "eye", load: () => import("./records.js") },
  { name: "deployment", path: "/deployment", title: () => t("deployment.title"), icon: "settings", load: () => import("./deployment.js") },
  { name: "why", path: "/why", title: () => t("why.why"), icon: "question", isHidden: true, matches: (parts) => parts[0] === "conversations" && parts[2] === "why" && parts.length > 3, load: () => import("./why.js") },
];
