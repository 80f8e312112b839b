// The list of all views, by name. A view's `order` is its place in the navigation.
export * as conversations from "./conversations.js";
export * as costs from "./costs.js";
export * as deployment from "./deployment.js";
export * as external from "./external.js";
export * as media from "./media.js";
export * as memories from "./memories.js";
export * as metrics from "./metrics.js";
export * as people from "./people.js";
export * as personas from "./personas.js";
export * as records from "./records.js";
export * as reminders from "./reminders.js";
export * as search from "./search.js";
export * as summaries from "./summaries.js";
export * as talk from "./talk.js";
export * as trouble from "./trouble.js";
export * as turns from "./turns.js";
export * as why from "./why.js";
