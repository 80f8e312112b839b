// Reads a request to the model and its answer. The local model server stores both as the texts that were transferred.
import { candidatesOf } from "./openai_exchange.js";

const EVENT = /^data:\s*(.*)$/gm;

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * A body parsed from its text: an object, or a list of chunks if the body was streamed as events. Undefined if it is
 * neither.
 */
export function bodyOf(text) {
  if (typeof text !== "string") return text;
  const whole = parsed(text);
  if (whole !== undefined) return whole;
  const chunks = [...text.matchAll(EVENT)].map(([, data]) => parsed(data)).filter((chunk) => chunk !== undefined);
  return chunks.length ? chunks : undefined;
}

/** The number of bytes that a base64 text encodes. */
export const decodedSize = (base64) => Math.floor(((base64 || "").replace(/=+$/, "").length * 3) / 4);

const LONGEST_DATA = 100;

// The bytes of files are shortened, since nobody reads them.
const shortened = (name, value) =>
  name === "data" && typeof value === "string" && value.length > LONGEST_DATA ? `… ${decodedSize(value)} bytes` : value;

/** A body as text with line breaks and without the bytes of files. If the body is not JSON, the text as it came. */
export function prettyBody(text) {
  const body = bodyOf(text);
  return body === undefined ? String(text ?? "") : JSON.stringify(body, shortened, 2);
}

/** The parts of an answer. The texts of the chunks of a stream are joined. */
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

/** The web searches that Google made for the answer: {queries, pages: [{title, uri}]}. Undefined if there were none. */
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

/**
 * Whether an exchange was made by the tool `search`. Such a call is separate, and not among the calls that the plan
 * counts.
 */
export function isSearch(exchange) {
  const tools = bodyOf(exchange.request)?.tools || [];
  return tools.some((tool) => "google_search" in tool || "googleSearch" in tool);
}

/** The index of the plan's n-th call among the exchanges. */
export function placeOf(exchanges, n) {
  const planning = exchanges.map((_, at) => at).filter((at) => !isSearch(exchanges[at]));
  return planning[n] ?? planning.at(-1) ?? 0;
}
