// The words of the console, in the language of its owner.
import { language, setWords, t } from "../parts/words.js";
import { get } from "./api.js";

export { language, t };

const page = document.documentElement;

function use(tag, direction, words) {
  const flat = Object.entries(words).flatMap(([view, texts]) => Object.entries(texts).map(([name, text]) => [`${view}.${name}`, text]));
  setWords(tag, Object.fromEntries(flat));
  page.lang = tag;
  page.dir = direction;
}

/** Uses the texts that are part of the page itself, until all texts are loaded. */
export const useFirstWords = () => use(page.lang, page.dir, { start: JSON.parse(page.dataset.words || "{}") });

/** Loads the texts, {language, direction, words: {view: {name: text}}}. The id of a text is "view.name". */
export async function loadWords() {
  const { language: tag, direction, words } = await get("/api/words");
  use(tag, direction, words);
}
