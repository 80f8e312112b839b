// Listens to the server-sent events of "/api/live" while the page is shown. Each event has a type, and JSON as data.
//
//   const off = live.on("conversation", (event) => …)
//   live.on("missed", () => …)       some events were missed: reload what is shown
//
// The connection is open only while somebody looks at the page and something listens.
import { observable } from "../parts/observable.js";
import { get } from "./api.js";
import { withQuery } from "./route.js";

const LONGEST_PAUSE_MS = 30_000;
const FIRST_PAUSE_MS = 1_000;
const AWAY_MS = 20_000; // a page that is hidden for a moment stays connected

const heard = new Map(); // type → listeners
const relays = new Map(); // type → what is registered at the source
let source = null;
let timer = null;
let pause = FIRST_PAUSE_MS;
let lastId = "";
let isFirst = true;
let query = {};

/** off | connecting | live | away | paused. Paused: the server ended the stream, since too many tabs are open. */
const connection = observable("off");

function deliver(type, event) {
  for (const listener of [...(heard.get(type) || [])]) listener(event);
}

function relay(type) {
  if (relays.has(type)) return;
  relays.set(type, (event) => {
    lastId = event.lastEventId || lastId;
    deliver(type, event.data ? JSON.parse(event.data) : {});
  });
  source?.addEventListener(type, relays.get(type));
}

function close() {
  source?.close();
  source = null;
  clearTimeout(timer);
}

const isWanted = () => document.visibilityState === "visible" && [...heard.values()].some((listeners) => listeners.size);

function open() {
  clearTimeout(timer);
  if (source || !isWanted() || connection.get() === "paused") return;
  connection.set(isFirst ? "connecting" : "away");
  source = new EventSource(withQuery("/api/live", { ...query, after: lastId }));
  for (const [type, take] of relays) source.addEventListener(type, take);
  source.onopen = () => {
    pause = FIRST_PAUSE_MS;
    connection.set("live");
    // the server repeats the events after the last id; without an id, what is shown may be outdated
    if (!isFirst && !lastId) deliver("missed", {});
    isFirst = false;
  };
  source.onerror = () => {
    close();
    isFirst = false;
    connection.set("away");
    timer = setTimeout(open, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    // the stream may have ended because the sign-in did; a stream does not report why it ends
    get("/api/session").catch(() => undefined);
  };
}

/** Connects again after a pause, when somebody looks at this tab. */
function resume() {
  if (connection.get() !== "paused") return;
  connection.set("away");
  open();
}

function stopUnwanted() {
  if (isWanted() || connection.get() === "paused") return;
  close();
  connection.set("off");
}

document.addEventListener("visibilitychange", () => {
  clearTimeout(timer);
  if (document.visibilityState === "visible") {
    resume();
    open();
  } else timer = setTimeout(stopUnwanted, AWAY_MS);
});
addEventListener("focus", resume);
addEventListener("online", () => {
  pause = FIRST_PAUSE_MS;
  open();
});

relay("hello"); // its id is the place to go on from, even if nothing else happens
relays.set("paused", () => {
  close();
  isFirst = false;
  connection.set("paused");
});

/** Calls `listener` for events of a type; returns a function that stops this. */
function on(type, listener) {
  if (!heard.has(type)) heard.set(type, new Set());
  heard.get(type).add(listener);
  relay(type);
  open();
  return () => {
    heard.get(type).delete(listener);
    setTimeout(stopUnwanted);
  };
}

/** Also follows what is open, {conversation: "conv-…"}, besides the list. The connection is opened again for this. */
function follow(what) {
  if (withQuery("", what) === withQuery("", query)) return;
  query = what;
  if (!source) return;
  close();
  open();
}

export const live = { on, follow, resume, connection };
