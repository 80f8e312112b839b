// Sentences for the problems in "/api/status", and the time of the owner's last look at incidents.
import { remember, remembered } from "../parts/memory.js";
import { told } from "../parts/told.js";
import { t } from "./words.js";

const LAST_LOOK = "console.looked";

// some problems are about a job or a step of the canary
const nameOf = ({ kind, about }) => (kind === "job" ? told(`job_${about}`, {}, about) : told(about));

const valuesOf = (problem) => ({ agent: problem.agent, about: nameOf(problem), said: told(problem.said) });

/** One line that says what the problem is. */
export const problemText = (problem) => t(`status.${problem.kind}`, valuesOf(problem));

/** What lull does about the problem, and what the owner can do. */
export const mendText = (problem) => t(`status.${problem.kind}_mend`, valuesOf(problem));

/** The time up to which the owner has seen incidents. Older incidents no longer count as problems. */
export const lastLook = () => remembered(LAST_LOOK, "");

export const noteLook = (at) => remember(LAST_LOOK, at);
