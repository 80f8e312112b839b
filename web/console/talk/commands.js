// The commands that an owner can write, with their descriptions. They are loaded once.
import { useEffect, useState } from "../../parts/html.js";
import { get } from "../api.js";

let reading = null;

const read = () => {
  reading ||= get("/api/commands").then(
    ({ commands }) => commands.map(({ name, description }) => ({ key: name, insert: `/${name} `, label: `/${name}`, about: description })),
    () => {
      reading = null;
      return [];
    },
  );
  return reading;
};

/** The commands as completions; [] until the owner begins to write one. */
export function useCommands(isWanted) {
  const [commands, setCommands] = useState([]);
  useEffect(() => {
    if (isWanted && !commands.length) read().then(setCommands);
  }, [isWanted]);
  return commands;
}
