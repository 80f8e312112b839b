// Charts that read well on a phone: bars (stacked, if there are several series), lines, and a ranking. The numbers are
// also in a table, which screen readers read and anybody can open.
import { html, useLayoutEffect, useRef, useState } from "./html.js";
import { t } from "./words.js";

const HEIGHT = 180;
const EDGE = { top: 10, bottom: 22, end: 2 };
const LABEL_PX = 56; // the room of a label below the bars

function useWidth() {
  const ref = useRef(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(([{ contentRect }]) => setWidth(Math.floor(contentRect.width)));
    watcher.observe(ref.current);
    return () => watcher.disconnect();
  }, []);
  return [ref, width];
}

const STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/** A round number at or above `most` for the top of the axis; half of it is round, too. */
export function topOf(most) {
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return STEPS.map((step) => step * power).find((top) => top >= most * 0.999999);
}

const valueOf = (point, series) => Number(point.values[series.id] ?? 0);
const sumOf = (point, series) => series.reduce((sum, each) => sum + valueOf(point, each), 0);

function Numbers({ points, series, format, label }) {
  return html`
    <details>
      <summary>${t("parts.as_table")}</summary>
      <div class="table-scroll" tabindex="0" role="region" aria-label=${label}>
        <table>
          <caption class="hidden">${label}</caption>
          <thead><tr><td></td>${series.map((each) => html`<th scope="col" class="number">${each.label}</th>`)}</tr></thead>
          <tbody>
            ${points.map((point) => html`<tr><th scope="row">${point.label}</th>${series.map((each) => html`<td class="number">${format(valueOf(point, each))}</td>`)}</tr>`)}
          </tbody>
        </table>
      </div>
    </details>
  `;
}

const Key = ({ series }) =>
  series.length > 1 && html`<ul class="chart-key" aria-hidden="true">${series.map((each, at) => html`<li class=${`series-${at % 8}`}>${each.label}</li>`)}</ul>`;

function Axes({ width, start, top, format, points, step }) {
  const y = (value) => EDGE.top + (HEIGHT - EDGE.top - EDGE.bottom) * (1 - value / top);
  const every = Math.max(1, Math.ceil(LABEL_PX / step));
  return html`
    ${[0, top / 2, top].map((value) => html`<line class="grid-line" x1=${start} x2=${width} y1=${y(value)} y2=${y(value)} /><text x="0" y=${y(value) + 4}>${format(value)}</text>`)}
    ${points.map((point, at) => at % every === 0 && html`<text x=${start + step * (at + 0.5)} y=${HEIGHT - 4} text-anchor="middle">${point.short ?? point.label}</text>`)}
  `;
}

function wordsOf(point, series, format) {
  const values = series.filter((each) => series.length === 1 || valueOf(point, each)).map((each) => (series.length > 1 ? `${each.label}: ${format(valueOf(point, each))}` : format(valueOf(point, each))));
  return `${point.label}\n${values.join("\n")}`;
}

const Hits = ({ points, series, format, start, step }) =>
  points.map((point, at) => html`<rect class="hit" x=${start + step * at} y="0" width=${step} height=${HEIGHT - EDGE.bottom}><title>${wordsOf(point, series, format)}</title></rect>`);

function useScale({ points, most, format, width }) {
  const top = topOf(most);
  const start = 8 + 7 * Math.max(...[0, top / 2, top].map((value) => format(value).length));
  const step = Math.max(0, (width - start - EDGE.end) / Math.max(1, points.length));
  const y = (value) => (HEIGHT - EDGE.top - EDGE.bottom) * (value / top);
  return { top, start, step, y };
}

function Bars({ points, series, format, width }) {
  const most = Math.max(0, ...points.map((point) => sumOf(point, series)));
  const { top, start, step, y } = useScale({ points, most, format, width });
  const thick = Math.max(1, Math.min(36, step * 0.72));
  const bottom = HEIGHT - EDGE.bottom;
  const pile = (point, at) => {
    let below = 0;
    return series.map((each, number) => {
      const height = y(valueOf(point, each));
      below += height;
      return height > 0 && html`<rect class=${`series-${number % 8}${point.isForecast ? " is-forecast" : ""}`} x=${start + step * at + (step - thick) / 2} y=${bottom - below} width=${thick} height=${Math.max(height, 1)} rx=${Math.min(3, thick / 4)} />`;
    });
  };
  return html`<${Axes} width=${width} start=${start} top=${top} format=${format} points=${points} step=${step} />${points.map(pile)}
    <${Hits} points=${points} series=${series} format=${format} start=${start} step=${step} />`;
}

function Lines({ points, series, format, width }) {
  const most = Math.max(0, ...points.flatMap((point) => series.map((each) => valueOf(point, each))));
  const { top, start, step, y } = useScale({ points, most, format, width });
  const at = (point, number, each) => `${start + step * (number + 0.5)} ${HEIGHT - EDGE.bottom - y(valueOf(point, each))}`;
  return html`<${Axes} width=${width} start=${start} top=${top} format=${format} points=${points} step=${step} />
    ${series.map((each, index) => html`<path class=${`line series-${index % 8}`} d=${`M${points.map((point, number) => at(point, number, each)).join("L")}`} />`)}
    <${Hits} points=${points} series=${series} format=${format} start=${start} step=${step} />`;
}

function Chart({ label, points, series, format = String, of: Drawing }) {
  const [ref, width] = useWidth();
  return html`
    <figure class="chart" ref=${ref} aria-label=${label}>
      <${Key} series=${series} />
      <svg height=${HEIGHT} aria-hidden="true" dir="ltr">${width > 0 && points.length > 0 && html`<${Drawing} points=${points} series=${series} format=${format} width=${width} />`}</svg>
      <${Numbers} points=${points} series=${series} format=${format} label=${label} />
    </figure>
  `;
}

/**
 * Bars, stacked if there are several series. `points`: [{label, short, values: {series id: number}, isForecast}];
 * `series`: [{id, label}]; `format` writes a number; `label` says what the chart shows.
 */
export const BarChart = (props) => html`<${Chart} ...${props} of=${Bars} />`;

/** Lines, one for each series; the arguments are those of BarChart. */
export const LineChart = (props) => html`<${Chart} ...${props} of=${Lines} />`;

/** A ranking: a bar beside each name. `rows`: [{id, name, value, note}]; `name` may be an element. */
export function Ranking({ rows, format = String }) {
  const most = Math.max(0, ...rows.map((row) => Number(row.value)));
  return html`
    <ul class="ranked">
      ${rows.map(
        (row) => html`<li key=${row.id}>
          <span class="ranked-name" dir="auto">${row.name}</span><span class="number">${format(Number(row.value))}</span>
          ${row.note && html`<small>${row.note}</small>`}
          <span class="ranked-bar" aria-hidden="true"><i style=${{ width: `${most ? (100 * Number(row.value)) / most : 0}%` }}></i></span>
        </li>`,
      )}
    </ul>
  `;
}
