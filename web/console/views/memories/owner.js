// The names of owners of memories.
import { t } from "../../words.js";

/** The name of a person or a group; without one, their id; for an agent, that everyone may know. */
export const nameOf = (one) => one.name || (one.scope === "agent" ? t("memories.everyone") : t(`memories.nameless_${one.scope}`, { id: one.id }));
