// Converts requests and answers of OpenAI's protocol into the form of Gemini's, which the views show.
const MODELS = "model";

function argumentsOf(text) {
  try {
    return JSON.parse(text || "{}");
  } catch {
    return { text };
  }
}

const callPart = ({ function: { name, arguments: given } = {} }) => ({ functionCall: { name, args: argumentsOf(given) } });

/** A part of a message. Of a file, the recorder has stored only the type, the size and a hash. */
function partOf(part) {
  const file = part.image_url || part.input_audio || part.file;
  if (!file) return { text: part.text ?? JSON.stringify(part) };
  const type = file.mimeType || (file.format && `audio/${file.format}`) || "image/*";
  return { inlineData: { mimeType: type, size: file.size, sha256: file.sha256 } };
}

const partsIn = (content) => (Array.isArray(content) ? content.map(partOf) : content ? [{ text: content }] : []);

function turnOf(message) {
  if (message.role === "tool") {
    return { role: "user", parts: [{ functionResponse: { name: message.name || message.tool_call_id, response: { output: message.content } } }] };
  }
  const role = message.role === "assistant" ? MODELS : message.role;
  return { role, parts: [...partsIn(message.content), ...(message.tool_calls || []).map(callPart)] };
}

/** The request with Gemini's fields. A request that already has them is returned unchanged. */
export function requestOf(body) {
  if (!Array.isArray(body?.messages)) return body;
  const { messages, tools, model: _, ...settings } = body;
  const turns = messages.map(turnOf);
  const system = turns.filter(({ role }) => role === "system").flatMap(({ parts }) => parts);
  return {
    systemInstruction: system.length ? { parts: system } : undefined,
    contents: turns.filter(({ role }) => role !== "system"),
    tools: tools && [{ functionDeclarations: tools.map((tool) => tool.function || tool) }],
    generationConfig: settings,
  };
}

/**
 * The candidates of a whole answer or of the chunks of a stream, in Gemini's form. Function calls that came in pieces
 * are joined.
 */
export function candidatesOf(chunks) {
  const choices = chunks.flatMap((chunk) => chunk.choices || []);
  const calls = [];
  const candidates = choices.map(({ delta, message, finish_reason: reason }) => {
    const said = delta || message || {};
    for (const piece of said.tool_calls || []) {
      const at = piece.index ?? calls.length;
      const call = (calls[at] ??= { function: { name: "", arguments: "" } });
      call.function.name += piece.function?.name || "";
      call.function.arguments += piece.function?.arguments || "";
    }
    const thought = said.reasoning_content || said.reasoning;
    return { content: { parts: [...(thought ? [{ text: thought, thought: true }] : []), ...partsIn(said.content)] }, finishReason: reason };
  });
  const called = calls.filter(Boolean).map(callPart);
  return called.length ? [...candidates, { content: { parts: called } }] : candidates;
}
