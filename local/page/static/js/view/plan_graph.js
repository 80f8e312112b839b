// The plan as a small graph: a box for each task, and an arrow to it from each task that must be done before.
import { html, useMemo, useState } from "../html.js";
import { preciseTime, timeOf } from "../clock.js";
import { BOX, layout } from "../layers.js";

function About({ task }) {
  return html`
    <dl class="facts" data-testid="task">
      <dt>Task</dt><dd>${task.id} · ${task.kind} · ${task.state}</dd>
      ${task.depends_on.length > 0 && html`<dt>After</dt><dd>${task.depends_on.join(", ")}</dd>`}
      ${task.summary && html`<dt>What</dt><dd class="prewrap">${task.summary}</dd>`}
      ${task.not_before && html`<dt>Not before</dt><dd title=${preciseTime(task.not_before)}>${timeOf(task.not_before)}</dd>`}
      <dt>Tries</dt><dd>${task.tries}</dd>
      ${task.why && html`<dt>Why</dt><dd>${task.why}</dd>`}
    </dl>
  `;
}

function Box({ box, chosen, choose }) {
  const { task, x, y } = box;
  const after = task.depends_on.length ? `, after ${task.depends_on.join(" and ")}` : "";
  return html`
    <li style=${{ left: `${x}px`, top: `${y}px`, width: `${BOX.width}px`, height: `${BOX.height}px` }}>
      <button
        type="button"
        class=${`task is-${task.state}`}
        aria-pressed=${chosen}
        aria-label=${`Task ${task.id}: ${task.kind}, ${task.state}${after}`}
        onClick=${choose}
      >
        <span class="task-top"><b>${task.kind}</b> <span class=${`state is-${task.state}`}>${task.state}</span></span>
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
  if (!tasks.length) return html`<p>An empty plan means silence.</p>`;
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
