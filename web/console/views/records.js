// Records: what the owner did and looked at, and each sign-in, so that the owner notices a foreign sign-in.
import { html } from "../../parts/html.js";
import { dayOf } from "../../parts/clock.js";
import { Icon } from "../../parts/icon.js";
import { Empty, Loaded } from "../../parts/loaded.js";
import { Time, secondsOf } from "../../parts/time.js";
import { usePages } from "../api.js";
import { Head } from "../head.js";
import { Link } from "../route.js";
import { t } from "../words.js";

// an act is shown as its page and the label of the pressed button
const MEMORY = ["memories.title", "/memories"];
const MEDIA = ["media.title", "/media"];
const SUMMARY = ["summaries.title", "/summaries"];
const PEOPLE = ["people.title", "/people"];
const COSTS = ["costs.title", "/costs"];
const REMINDER = ["reminders.title", "/reminders"];
const OFFER = ["approvals.offers", "/approvals"];
const INCIDENT = ["trouble.incidents", "/trouble"];
const WHY = ["why.why"];
const TALK = ["conversations.title"];
const DATA = ["person_data.title", "/trouble"];
export const ACTS = {
  abbreviate: [TALK, "conversation.make_again"],
  accept_offer: [OFFER, "approvals.accept"],
  cancel_reminder: [REMINDER, "reminders.cancel"],
  change_limits: [COSTS, "costs.limits"],
  change_rules: [["external.title", "/external"], "external.rules"],
  decline_offer: [OFFER, "approvals.decline"],
  delete: [TALK, "conversation.delete"],
  download: [TALK, "conversation.download"],
  drop_incident: [INCIDENT, "trouble.drop"],
  exact_words: [WHY, "why.show_kept"],
  export_cases: [["metrics.title", "/metrics"], "metrics.download"],
  export_person: [DATA, "person_data.export"],
  forget_person: [DATA, "person_data.forget"],
  go_on: [TALK, "talk.go_on"],
  invite: [PEOPLE, "people.invite"],
  keep_exchanges: [WHY, "why.keep_button"],
  keep_no_exchanges: [WHY, "why.keep_no_more"],
  later_d_reminder: [REMINDER, "reminders.later_d"],
  later_t_reminder: [REMINDER, "reminders.later_t"],
  later_u_reminder: [REMINDER, "reminders.later_u"],
  lower_the_soft_share: [COSTS, "costs.soft_title"],
  mark: [TALK, "marks.mark"],
  media_clear: [MEDIA, "media.clear"],
  media_describe_again: [MEDIA, "media.again"],
  media_edit: [MEDIA, "media.edit"],
  memory_adopt: [MEMORY, "memories.adopt"],
  memory_delete: [MEMORY, "memories.delete"],
  memory_edit: [MEMORY, "memories.edit"],
  memory_move: [MEMORY, "memories.move"],
  memory_take_offer: [MEMORY, "memories.take"],
  memory_undo: [MEMORY, "records.undo"],
  model: [TALK, "conversation.model"],
  mute: [TALK, "conversation.mute"],
  new: [TALK, "conversation.another"],
  now_reminder: [REMINDER, "reminders.now"],
  open: [TALK, "records.opened"],
  people_b: [PEOPLE, "people.block"],
  people_i: [PEOPLE, "people.let_in"],
  people_j: [PEOPLE, "people.let_in"],
  people_s: [PEOPLE, "people.remove"],
  people_t: [PEOPLE, "people.remove"],
  people_u: [PEOPLE, "people.unblock"],
  person_data: [DATA, "records.looked"],
  prompt: [WHY, "why.show_prompt"],
  rebuild_resume: [SUMMARY, "summaries.resume"],
  rebuild_start: [SUMMARY, "summaries.rebuild"],
  rebuild_stop: [SUMMARY, "summaries.stop"],
  replay: [WHY, "why.replay_button"],
  replay_incident: [INCIDENT, "trouble.replay"],
  requests_b: [PEOPLE, "people.block"],
  requests_g: [PEOPLE, "people.leave"],
  requests_l: [PEOPLE, "people.let_in"],
  requests_o: [PEOPLE, "people.once"],
  resend_incident: [INCIDENT, "trouble.resend"],
  resume: [TALK, "conversation.resume"],
  revoke_an_invitation: [PEOPLE, "people.revoke"],
  run_job: [["trouble.jobs", "/trouble"], "trouble.run_now"],
  shutdown_e: [PEOPLE, "people.silence"],
  stop: [TALK, "conversation.stop"],
  summary_make_again: [SUMMARY, "summaries.again"],
  title: [TALK, "records.renamed"],
  unmark: [TALK, "marks.remove"],
  unmute: [TALK, "conversation.unmute"],
  wake: [PEOPLE, "people.wake"],
};
const LOOKS = new Set(["open", "download", "prompt", "exact_words", "person_data"]);
const SIGN_IN = "sign_in";

/** The name of an act as a key: "people b" is people_b. */
const keyOf = ({ action }) => action.replaceAll(/[^a-z_]/g, "_");

function placeOf(record) {
  const { conversation, seq } = record;
  if (!conversation) return ACTS[keyOf(record)]?.[0][1] || "";
  const place = `/conversations/${encodeURIComponent(conversation)}`;
  return seq ? `${place}/why/${seq}` : place;
}

function wordsOf(record) {
  if (keyOf(record) === SIGN_IN) return t("records.sign_in");
  const act = ACTS[keyOf(record)];
  return act ? `${t(act[0][0])} · ${t(act[1])}` : record.action;
}

const iconOf = (record) => (keyOf(record) === SIGN_IN ? "keys" : LOOKS.has(record.action) ? "eye" : "edit");

function Row({ record }) {
  const place = placeOf(record);
  const words = wordsOf(record);
  return html`
    <li class=${keyOf(record) === SIGN_IN ? "is-sign-in" : ""}>
      <div class="item-top">
        <${Icon} name=${iconOf(record)} size=${16} />
        <span class="item-name">${place ? html`<${Link} to=${place}>${words}<//>` : words}</span>
        <${Time} at=${record.at} style="time" />
      </div>
    </li>
  `;
}

/** The records grouped by day: [[day, records]]. */
function byDay(items) {
  const days = [];
  for (const item of items) {
    const day = dayOf(secondsOf(item.at));
    if (days.at(-1)?.[0] === day) days.at(-1)[1].push(item);
    else days.push([day, [item]]);
  }
  return days;
}

function Records() {
  const records = usePages("/api/records");
  return html`
    <${Head} title=${t("records.title")} />
    <div class="view">
      <p class="quiet">${t("records.hint", { count: records.data?.kept_days ?? 90 })}</p>
      <${Loaded} of=${records} empty=${html`<${Empty} icon="eye" text=${t("records.none")} />`}>
        ${(items) => byDay(items).map(([day, some]) => html`<section class="section" key=${day}><h2>${day}</h2><ul class="items">${some.map((each) => html`<${Row} key=${each.id} record=${each} />`)}</ul></section>`)}
      <//>
    </div>
  `;
}

export const Component = Records;
