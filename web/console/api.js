// Requests to the console's function. A failure is an ApiError whose message is a sentence for the owner.
import { useEffect, useRef, useState } from "../parts/html.js";
import { dollars } from "../parts/money.js";
import { told } from "../parts/told.js";
import { language, t } from "../parts/words.js";
import { withQuery } from "./route.js";

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status; // 0: there was no answer
  }
}

const CERTAIN = "/api/words";
const signedOut = new Set();

/** Calls `heard` when a response shows that nobody is signed in any more. */
export const onSignedOut = (heard) => signedOut.add(heard);

const isJson = (response) => (response.headers.get("content-type") || "").includes("json");

const isNothing = (response) => response.status === 404 && !isJson(response);

// Without a sign-in, every address gets the same response, which is not JSON. So only an address that certainly exists
// shows whether somebody is signed in.
async function checkSignIn() {
  if (!isNothing(await fetch(CERTAIN, { credentials: "same-origin" }).catch(() => new Response()))) return;
  for (const heard of signedOut) heard();
  throw new ApiError(401, t("common.signed_out"));
}

const FORMATS = { usd: dollars, share: (share) => new Intl.NumberFormat(language(), { style: "percent" }).format(share) };

/** The sentence for a refusal of the function, {code, values}. */
const sentenceOf = ({ code, values = {} }) =>
  told(code, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, FORMATS[name]?.(value) ?? value])));

/** The JSON of a response. A failure is thrown as an ApiError. */
export async function answerOf(response) {
  if (isNothing(response)) await checkSignIn();
  const answer = isJson(response) ? await response.json().catch(() => ({})) : {};
  if (response.ok) return answer;
  throw new ApiError(response.status, answer.code ? sentenceOf(answer) : t("common.failed", { status: String(response.status) }));
}

async function ask(path, options) {
  const headers = { accept: "application/json", "x-lull-console": "1", ...options.headers };
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...options, headers });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new ApiError(0, t("common.unreachable"));
  }
  return answerOf(response);
}

/** Reads "/api/…" with an optional query, without its empty values. No words of people in it: addresses are logged. */
export const get = (path, query = {}, { signal } = {}) => ask(withQuery(path, query), { signal });

/** Whether nothing is at this address, although somebody is signed in. */
export const isNothingAt = (path) => get(path).then(() => false, (problem) => problem.status === 404);

// A request without a response may have been carried out, so the same request soon after it gets the same id.
const SAME_CLICK_MS = 120_000;
const unanswered = new Map(); // request → {id, until}

function clickOf(asked) {
  const kept = unanswered.get(asked);
  const id = kept && kept.until > Date.now() ? kept.id : crypto.randomUUID();
  unanswered.set(asked, { id, until: Date.now() + SAME_CLICK_MS });
  return id;
}

/** Sends a change: `body` as JSON, with the `id` of the click, so that a repeated request changes nothing twice. */
export async function post(path, body = {}) {
  const asked = `${path} ${JSON.stringify(body)}`;
  const sent = JSON.stringify({ id: clickOf(asked), ...body });
  let status = 0;
  try {
    const answer = await ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: sent });
    status = 200;
    return answer;
  } catch (problem) {
    status = problem.status || 0;
    throw problem;
  } finally {
    if (status && status < 500) unanswered.delete(asked);
  }
}

/** Reads with words of people in the request: `words` are sent as JSON in the body, which is not logged. */
export const search = (path, words = {}, { signal } = {}) =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(words), signal });

const changed = (data, change) => (typeof change === "function" ? change(data) : change);

/** Calls `send({signal})` whenever `asked`, a text that identifies the request, changes; null sends nothing. */
function useRead(asked, send) {
  const [state, setState] = useState({ data: null, problem: null, busy: asked !== null });
  const last = useRef({});
  const early = useRef([]); // changes of what is not read yet
  const read = (isOther) => {
    last.current.abort?.abort();
    if (isOther) early.current = [];
    if (asked === null) return setState({ data: null, problem: null, busy: false });
    const abort = new AbortController();
    last.current = { abort };
    setState((before) => ({ data: isOther ? null : before.data, problem: null, busy: true }));
    return send(abort).then(
      (data) => abort.signal.aborted || setState({ data: early.current.splice(0).reduce(changed, data), problem: null, busy: false }),
      (problem) => abort.signal.aborted || setState((before) => ({ ...before, problem, busy: false })),
    );
  };
  useEffect(() => {
    read(true);
    return () => last.current.abort?.abort();
  }, [asked]);
  const set = (change) =>
    setState((before) => {
      if (before.data !== null) return { ...before, data: changed(before.data, change) };
      early.current.push(change);
      return before;
    });
  return { ...state, reload: () => read(false), set };
}

/**
 * Reads "/api/…" now and whenever the path or the query changes: {data, problem, busy, reload, set}. `data` is null until
 * the first response, and stays during further requests. `set` replaces it at any time. A path of null reads nothing.
 */
export const useGet = (path, query = {}) => useRead(path === null ? null : withQuery(path, query), (options) => get(path, query, options));

/** The same for words of people, which are sent in the body. */
export const useSearch = (path, words = {}) => useRead(withQuery(path, words), (options) => search(path, words, options));

/**
 * Reads a list that comes in pages, {items, next}: {items, more, hasMore, problem, busy, reload, set}. `more()` reads
 * the next page. `items` is null until the first page is read.
 */
export const usePages = (path, query = {}) => useMore(useGet(path, query), (cursor) => get(path, { ...query, cursor }));

/** The same for words of people, which are sent in the body. */
export const useFoundPages = (path, words = {}) => useMore(useSearch(path, words), (cursor) => search(path, { ...words, cursor }));

function useMore(first, readPage) {
  const [later, setLater] = useState({ of: null, items: [], next: "", problem: null, busy: false });
  const isCurrent = later.of === first.data;
  const next = isCurrent ? later.next : first.data?.next || "";
  const more = async () => {
    const of = first.data;
    const before = isCurrent ? later.items : [];
    setLater({ of, items: before, next, problem: null, busy: true });
    try {
      const page = await readPage(next);
      setLater((now) => (now.of === of ? { of, items: [...before, ...page.items], next: page.next, problem: null, busy: false } : now));
    } catch (problem) {
      setLater({ of, items: before, next, problem, busy: false });
    }
  };
  const items = first.data && [...first.data.items, ...(isCurrent ? later.items : [])];
  // the present state, also for handlers that were made in an earlier render
  const shown = useRef({});
  shown.current = { items, next };
  const set = (change) =>
    first.set((data) => {
      const { items: known = data.items, next: rest } = shown.current.items ? shown.current : data;
      shown.current = { items: change(known), next: rest };
      return { ...data, ...shown.current };
    });
  return { ...first, items, more, hasMore: Boolean(next), problem: first.problem || (isCurrent && later.problem) || null, busy: first.busy || (isCurrent && later.busy), set };
}
