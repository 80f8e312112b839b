// Computes the places of the boxes in a graph of tasks. Each task is below the tasks on which it depends.

export const BOX = { width: 140, height: 76, gapX: 16, gapY: 34 };

function depthOf(task, byId, seen = new Set()) {
  if (seen.has(task.id)) return 0; // a circle of dependencies is not followed further
  const before = task.depends_on.map((id) => byId.get(id)).filter(Boolean);
  const depths = before.map((each) => depthOf(each, byId, new Set([...seen, task.id])) + 1);
  return Math.max(0, ...depths);
}

function rowsOf(tasks, byId) {
  const rows = [];
  for (const task of tasks) (rows[depthOf(task, byId)] ||= []).push(task);
  return rows.filter(Boolean); // if there are circles, some depths have no tasks
}

/** {width, height, boxes: [{task, x, y}], arrows: [{from, to, path}]} in pixels. */
export function layout(tasks) {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const rows = rowsOf(tasks, byId);
  const widest = Math.max(1, ...rows.map((row) => row.length));
  const width = widest * (BOX.width + BOX.gapX) - BOX.gapX;
  const at = new Map();
  for (const [depth, row] of rows.entries()) {
    for (const box of placed(row, depth, width, at)) at.set(box.task.id, box);
  }
  const boxes = [...at.values()];
  const arrows = boxes.flatMap((box) =>
    box.task.depends_on.filter((id) => at.has(id)).map((id) => arrow(at.get(id), box)),
  );
  return { width, height: rows.length * (BOX.height + BOX.gapY) - BOX.gapY, boxes, arrows };
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

// The boxes of a row are centred. A task that is alone in its row is placed below the tasks for which it waits.
function placed(row, depth, width, at) {
  const rowWidth = row.length * (BOX.width + BOX.gapX) - BOX.gapX;
  const above = row.length === 1 ? row[0].depends_on.map((id) => at.get(id)).filter(Boolean) : [];
  const left = above.length ? mean(above.map((box) => box.x)) : (width - rowWidth) / 2;
  return row.map((task, at) => ({ task, x: left + at * (BOX.width + BOX.gapX), y: depth * (BOX.height + BOX.gapY) }));
}

function arrow(from, to) {
  const x1 = from.x + BOX.width / 2;
  const y1 = from.y + BOX.height;
  const x2 = to.x + BOX.width / 2;
  const y2 = to.y - 5; // so that the arrow's head ends at the box
  const bend = (y2 - y1) / 2;
  return { from: from.task.id, to: to.task.id, path: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}` };
}
