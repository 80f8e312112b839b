// A file in a prompt or a reply. It is shown or played if its bytes were stored; otherwise its type and size are named.
import { html } from "./html.js";
import { size } from "./clock.js";
import { decodedSize } from "./exchange.js";

const either = (object, ...names) => names.map((name) => object?.[name]).find((value) => value !== undefined);

/**
 * {type, bytes, address, hash} of a part that is a file; undefined for any other part. `address` is null if the
 * recorder did not store the file's bytes.
 */
export function fileIn(part) {
  const blob = either(part, "inlineData", "inline_data");
  if (!blob) return undefined;
  const type = either(blob, "mimeType", "mime_type") || "application/octet-stream";
  const address = blob.data ? `data:${type};base64,${blob.data}` : null;
  return { type, address, bytes: blob.size ?? decodedSize(blob.data), hash: blob.sha256 };
}

const SEEN = {
  image: ({ address, label }) => html`<img src=${address} alt=${label} />`,
  audio: ({ address, label }) => html`<audio src=${address} controls preload="metadata" aria-label=${label}></audio>`,
  video: ({ address, label }) => html`<video src=${address} controls preload="metadata" aria-label=${label}></video>`,
};

export function FilePart({ file: { type, bytes, address, hash } }) {
  const label = `${type}, ${size(bytes)}`;
  const View = address && SEEN[type.split("/")[0]];
  return html`
    <figure class="part is-file" title=${hash ? `SHA-256 ${hash}` : undefined}>
      ${View && html`<${View} address=${address} label=${label} />`}
      <figcaption>${label}</figcaption>
    </figure>
  `;
}
