// The names of owners of memories.
import { t } from "../../words.js";

/** The name of a person or a group, or their id; for an agent, "everyone", since its facts are for everyone. */
export const nameOf = (one) => one.name || (one.scope === "agent" ? t("memories.everyone") : t(`memories.nameless_${one.scope}`, { id: one.id }));
