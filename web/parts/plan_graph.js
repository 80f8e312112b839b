// The plan as a small graph: a box for each task, and an arrow to it from each task that must be done before.
import { html, useMemo, useState } from "./html.js";
import { preciseTime, timeOf } from "./clock.js";
import { BOX, layout } from "./layers.js";
import { kindOf, told } from "./told.js";
import { t } from "./words.js";

// A state that these words do not have is shown as it is stored.
function stateWord(state) {
  const id = `parts.state_${state}`;
  const word = t(id);
  return word === id ? state : word;
}

function About({ task }) {
  return html`
    <dl class="facts" data-testid="task">
      <dt>${t("parts.task")}</dt><dd>${task.id} · ${kindOf(task.kind)} · ${stateWord(task.state)}</dd>
      ${task.depends_on.length > 0 && html`<dt>${t("parts.after")}</dt><dd>${task.depends_on.join(", ")}</dd>`}
      ${task.summary && html`<dt>${t("parts.what")}</dt><dd class="prewrap">${task.summary}</dd>`}
      ${task.not_before && html`<dt>${t("parts.not_before")}</dt><dd title=${preciseTime(task.not_before)}>${timeOf(task.not_before)}</dd>`}
      <dt>${t("parts.tries")}</dt><dd>${task.tries}</dd>
      ${task.why && html`<dt>${t("parts.why")}</dt><dd>${told(task.why)}</dd>`}
    </dl>
  `;
}

function Box({ box, chosen, choose }) {
  const { task, x, y } = box;
  const told = { id: task.id, kind: kindOf(task.kind), state: stateWord(task.state), others: task.depends_on.join(t("parts.and")) };
  return html`
    <li style=${{ left: `${x}px`, top: `${y}px`, width: `${BOX.width}px`, height: `${BOX.height}px` }}>
      <button
        type="button"
        class=${`task is-${task.state}`}
        aria-pressed=${chosen}
        aria-label=${t(task.depends_on.length ? "parts.task_after" : "parts.task_named", told)}
        onClick=${choose}
      >
        <span class="task-top"><b>${kindOf(task.kind)}</b> <span class=${`state is-${task.state}`}>${stateWord(task.state)}</span></span>
        <span class="task-text" dir="auto">${task.summary}</span>
      </button>
    </li>
  `;
}

export function PlanGraph({ tasks }) {
  const [chosen, setChosen] = useState(null);
  const choose = (id) => setChosen(id === chosen ? null : id);
  const graph = useMemo(() => layout(tasks), [tasks]);
  const task = tasks.find((each) => each.id === chosen);
  if (!tasks.length) return html`<p>${t("parts.empty_plan")}</p>`;
  return html`
    <div class="graph" tabindex="-1">
      <div class="graph-inner" style=${{ width: `${graph.width}px`, height: `${graph.height}px` }}>
        <svg width=${graph.width} height=${graph.height} aria-hidden="true">
          <defs>
            <marker id="arrow-head" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path d="M0 0L8 4L0 8z" />
            </marker>
          </defs>
          ${graph.arrows.map(
            (arrow) => html`<path key=${`${arrow.from}>${arrow.to}`} d=${arrow.path} marker-end="url(#arrow-head)" />`,
          )}
        </svg>
        <ul>
          ${graph.boxes.map(
            (box) =>
              html`<${Box} key=${box.task.id} box=${box} chosen=${box.task.id === chosen} choose=${() => choose(box.task.id)} />`,
          )}
        </ul>
      </div>
    </div>
    ${task && html`<${About} task=${task} />`}
  `;
}
