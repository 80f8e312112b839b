// The context of the parts that show messages: values of the page around them.
import { createContext, html, useContext } from "./html.js";

const nothing = () => undefined;

const Surroundings = createContext({
  fileAddress: () => "", // (file) → the address of its bytes
  useDescription: () => "", // (file) → what is known of its content, or ""
  useName: nothing, // (user of a mention) → the name
  useCustomEmoji: nothing, // (id) → a sticker
  showPhoto: nothing, // ({src, label}) opens it large
  copy: nothing, // (text) copies it
  sendCommand: null, // (message, me, text) sends it; null where nothing is sent
});

export const usePage = () => useContext(Surroundings);

/** Provides `page` to all parts inside. It must never change. */
export const InPage = ({ page, children }) => html`<${Surroundings.Provider} value=${page}>${children}<//>`;
