// The words of the console, in the language of its owner.
import { language, setWords, t } from "../parts/words.js";
import { get } from "./api.js";

export { language, t };

const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ur"]);

/** Reads the texts, {language, words: {view: {name: text}}}: the text `name` of a view has the id "view.name". */
export async function loadWords() {
  const { language: tag, words } = await get("/api/words");
  const flat = Object.entries(words).flatMap(([view, texts]) => Object.entries(texts).map(([name, text]) => [`${view}.${name}`, text]));
  setWords(tag, Object.fromEntries(flat));
  document.documentElement.lang = tag;
  document.documentElement.dir = RIGHT_TO_LEFT.has(tag.split("-")[0]) ? "rtl" : "ltr";
}
