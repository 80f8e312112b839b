// Converts a text with Telegram's message entities into a tree. Offsets are in UTF-16 units, like JavaScript's string
// indexes.

const inside = (entity, start, end) => {
  const from = Math.max(entity.offset, start);
  const to = Math.min(entity.offset + entity.length, end);
  return from < to ? { ...entity, offset: from, length: to - from } : null;
};

// Sorts outer entities before inner ones: the earlier entity comes first, and at the same offset the longer one. If a
// quote covers the same text as another entity, the quote is the outer one.
const isQuote = (entity) => entity.type.endsWith("blockquote");
const outerFirst = (a, b) => a.offset - b.offset || b.length - a.length || isQuote(b) - isQuote(a);

function nest(text, start, end, entities) {
  const waiting = entities
    .map((entity) => inside(entity, start, end))
    .filter(Boolean)
    .sort(outerFirst);
  const nodes = [];
  let at = start;
  while (waiting.length) {
    const outer = waiting.shift();
    const stop = outer.offset + outer.length;
    if (outer.offset > at) nodes.push(text.slice(at, outer.offset));
    const within = waiting.filter((entity) => entity.offset < stop);
    nodes.push({ entity: outer, children: nest(text, outer.offset, stop, within) });
    // An entity that crosses the end of the outer entity is split: its rest continues behind the outer entity.
    const behind = waiting
      .map((entity) => inside(entity, stop, end))
      .filter(Boolean)
      .sort(outerFirst);
    waiting.splice(0, waiting.length, ...behind);
    at = stop;
  }
  if (at < end) nodes.push(text.slice(at, end));
  return nodes;
}

/**
 * The nodes in reading order: strings and {entity, children}. Entities that reach beyond the text are cut or left out.
 */
export const toTree = (text, entities) => nest(text, 0, text.length, entities || []);

const isBlock = (node) => typeof node === "object" && (node.entity.type === "pre" || isQuote(node.entity));

/** The nodes without the line breaks beside a block, since a block begins and ends a line by itself. */
export function withoutBlockBreaks(nodes) {
  return nodes.map((node, at) => {
    if (typeof node !== "string") return node;
    const begin = at > 0 && isBlock(nodes[at - 1]) ? node.replace(/^\n/, "") : node;
    return at + 1 < nodes.length && isBlock(nodes[at + 1]) ? begin.replace(/\n$/, "") : begin;
  });
}

const SAFE = new Set(["http:", "https:", "tg:", "mailto:", "tel:"]);

/** The address if it is safe to open by a click, else null. An address without a scheme gets https. */
export function safeHref(address) {
  const whole = /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`;
  try {
    const url = new URL(whole);
    return SAFE.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

// The marks that Telegram's clients read as formatting. There are no marks for underlining.
const MARKS = { bold: "**", italic: "__", strikethrough: "~~", spoiler: "||", code: "`" };

function marked(node) {
  if (typeof node === "string") return node;
  const { entity, children } = node;
  const inner = children.map(marked).join("");
  if (entity.type === "pre") return `\`\`\`${entity.language || ""}\n${inner}\n\`\`\``;
  if (entity.type === "text_link") return `[${inner}](${entity.url})`;
  if (isQuote(entity)) return inner.replace(/^/gm, "> ");
  const mark = MARKS[entity.type] || "";
  return mark + inner + mark;
}

/** The text as a person would type it, so that editing a message keeps its formatting. */
export const toMarkdown = (text, entities) => toTree(text, entities).map(marked).join("");
