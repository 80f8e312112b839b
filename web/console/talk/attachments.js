// The files that the owner sends: those that are chosen, and those that are being uploaded, one after the other.
import { useEffect, useState } from "../../parts/html.js";
import { shownName } from "../../parts/file_name.js";
import { observable } from "../../parts/observable.js";
import { toast } from "../../parts/toasts.js";
import { t } from "../words.js";
import { nextNumber } from "./clock.js";
import { shrunk } from "./shrinking.js";
import { upload } from "./upload.js";

const LARGEST = 20 * 2 ** 20; // as in shared/values/prepared.py
const MOST_AT_ONCE = 20;
const PICTURES = /^image\/(jpeg|png|webp|gif|heic|heif)$/;

const kindOf = ({ type }) => (PICTURES.test(type) ? "photo" : type.startsWith("video/") ? "video" : type.startsWith("audio/") ? "audio" : "document");

const problemOf = (file) => {
  if (file.size > LARGEST) return t("files.too_large", { name: shownName(file.name) });
  return file.size ? "" : t("files.empty", { name: shownName(file.name) });
};

/** The chosen files: {items, add, set}. A toast reports each file that cannot be sent. */
function useChosen() {
  const [items, set] = useState([]);
  const add = (list, kind) => {
    const files = [...list];
    const good = files.filter((file) => !problemOf(file)).map((file) => ({ file, kind: kind || kindOf(file), as: kind === "document" ? "file" : "" }));
    const problems = files.map(problemOf).filter(Boolean);
    if (items.length + good.length > MOST_AT_ONCE) problems.push(t("files.too_many", { count: MOST_AT_ONCE }));
    set([...items, ...good].slice(0, MOST_AT_ONCE));
    if (problems.length) toast(problems.join(" "), { isBad: true });
  };
  return { items, add, set };
}

/** Returns the file if its bytes can be read, else throws. It may be deleted since it was chosen, and folders have none. */
async function readable(file) {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new Error(t("files.unreadable", { name: shownName(file.name) }));
  }
  return file;
}

/** The queue of uploads to one conversation. It continues while another view is shown. */
class Queue {
  items = [];
  shown = observable([]);
  isRunning = false;
  onStored = () => undefined;

  constructor(address) {
    this.address = address;
    addEventListener("online", () => this.items.filter((item) => item.isAway).forEach((item) => this.again(item)));
    addEventListener("beforeunload", (event) => this.items.some((item) => !item.problem) && event.preventDefault());
  }

  set(items) {
    this.items = items;
    this.shown.set(items.map((item) => ({ ...item })));
  }

  change(item, part) {
    Object.assign(item, part);
    this.set(this.items);
  }

  leave(item) {
    this.set(this.items.filter((each) => each !== item));
  }

  held({ key }) {
    return this.items.find((item) => item.key === key);
  }

  add(items) {
    this.set([...this.items, ...items]);
    this.run();
  }

  again(item) {
    this.change(this.held(item), { problem: "", isAway: false });
    this.run();
  }

  cancel(item) {
    const held = this.held(item);
    if (held?.abort && !held.problem) held.abort.abort();
    else if (held) this.leave(held);
  }

  async run() {
    if (this.isRunning) return;
    this.isRunning = true;
    const next = () => this.items.find((item) => !item.problem);
    for (let item = next(); item; item = next()) await this.carry(item);
    this.isRunning = false;
  }

  async carry(item) {
    const abort = new AbortController();
    this.change(item, { abort, share: 0 });
    try {
      item.ready ||= item.as ? item.file : await shrunk(await readable(item.file));
      item.number ||= nextNumber(); // a file that is sent again keeps its number
      const told = { ...item.told, id: item.number, as: item.as, name: item.ready.name };
      await upload(`${this.address}/files`, told, item.ready, { onShare: (share) => this.change(item, { share }), signal: abort.signal });
      await this.onStored();
      this.leave(item);
    } catch (problem) {
      if (problem.name === "AbortError") this.leave(item);
      else this.change(item, { problem: problem.message, isAway: problem.status === 0 });
    }
  }
}

const queues = new Map();

function queueOf(address) {
  if (!queues.has(address)) queues.set(address, new Queue(address));
  return queues.get(address);
}

let key = 0;

/** `told`: the fields that are posted with the file. */
const uploadOf = (item, told) => {
  key += 1;
  return { ...item, key, told, share: 0, problem: "" };
};

/**
 * {chosen, add, setChosen, uploads, send, sendVoice, cancel, again}. `address` is the path of the conversation;
 * `onStored` is awaited after each file, before it leaves the queue. An upload: {key, file, kind, share, problem}.
 */
export function useAttachments(address, onStored) {
  const { items: chosen, add, set: setChosen } = useChosen();
  const queue = queueOf(address);
  const uploads = queue.shown.use();
  useEffect(() => {
    queue.onStored = onStored;
  });
  /** Sends the chosen files. The caption and `more` (further posted fields) belong to the first file. */
  const send = (caption, more = {}) => {
    setChosen([]);
    queue.add(chosen.map((item, at) => (at ? uploadOf(item, {}) : uploadOf(item, { ...more, text: caption }))));
  };
  const sendVoice = (note) => queue.add([uploadOf({ ...note, as: "voice" }, { seconds: Math.round(note.duration) })]);
  return { chosen, add, setChosen, uploads, send, sendVoice, cancel: (item) => queue.cancel(item), again: (item) => queue.again(item) };
}
