// A request and its answer as the model server of this machine keeps them: as the texts that went over the wire.
import { candidatesOf } from "./openai_exchange.js";

const EVENT = /^data:\s*(.*)$/gm;

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A body as values: an object, a list of chunks if it was streamed as events, or undefined if it is neither. */
export function bodyOf(text) {
  if (typeof text !== "string") return text;
  const whole = parsed(text);
  if (whole !== undefined) return whole;
  const chunks = [...text.matchAll(EVENT)].map(([, data]) => parsed(data)).filter((chunk) => chunk !== undefined);
  return chunks.length ? chunks : undefined;
}

/** How many bytes a text in base64 holds. */
export const decodedSize = (base64) => Math.floor(((base64 || "").replace(/=+$/, "").length * 3) / 4);

const LONGEST_DATA = 100;

// Nobody reads the bytes of a picture.
const shortened = (name, value) =>
  name === "data" && typeof value === "string" && value.length > LONGEST_DATA ? `… ${decodedSize(value)} bytes` : value;

/** A body as text with its lines broken and the bytes of files left out, or as it came if it is no JSON. */
export function prettyBody(text) {
  const body = bodyOf(text);
  return body === undefined ? String(text ?? "") : JSON.stringify(body, shortened, 2);
}

/** The parts of an answer; the texts of a stream's chunks are put together. */
export function partsOf(body) {
  const chunks = (Array.isArray(body) ? body : [body]).filter((chunk) => chunk && typeof chunk === "object");
  const candidates = [...chunks.flatMap((chunk) => chunk.candidates || []), ...candidatesOf(chunks)];
  const reason = candidates
    .map((each) => each.finishReason || each.finish_reason)
    .filter(Boolean)
    .at(-1);
  const grounding = candidates.map((each) => groundingOf(each.groundingMetadata || each.grounding_metadata)).filter(Boolean).at(-1);
  return { parts: joined(candidates.flatMap((each) => each.content?.parts || [])), reason, grounding };
}

/** What Google searched for and found while it answered: {queries, pages: [{title, uri}]}; undefined if it did not. */
function groundingOf(metadata) {
  const queries = metadata?.webSearchQueries || metadata?.web_search_queries || [];
  const chunks = metadata?.groundingChunks || metadata?.grounding_chunks || [];
  const pages = chunks.map((chunk) => chunk.web || chunk.retrievedContext).filter((page) => page?.uri);
  return queries.length || pages.length ? { queries, pages } : undefined;
}

function joined(parts) {
  const whole = [];
  for (const part of parts) {
    const last = whole.at(-1);
    const isText = typeof part.text === "string" && typeof last?.text === "string";
    if (isText && !part.thought === !last.thought) whole[whole.length - 1] = { ...last, text: last.text + part.text };
    else whole.push(part);
  }
  return whole;
}

/** Whether an exchange is a search of the tool `search`: a call of its own, which the plan does not count. */
export function isSearch(exchange) {
  const tools = bodyOf(exchange.request)?.tools || [];
  return tools.some((tool) => "google_search" in tool || "googleSearch" in tool);
}

/** The place among the exchanges of the plan's n-th call. */
export function placeOf(exchanges, n) {
  const planning = exchanges.map((_, at) => at).filter((at) => !isSearch(exchanges[at]));
  return planning[n] ?? planning.at(-1) ?? 0;
}
