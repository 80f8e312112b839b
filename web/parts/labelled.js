/** A label such as "Photo: a cat on a sofa", with the first text in `known` that is not empty. */
export const labelled = (kind, ...known) => [kind, known.find(Boolean)?.replace(/[\s.]+$/, "")].filter(Boolean).join(": ");
