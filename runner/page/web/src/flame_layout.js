// SPDX-License-Identifier: GPL-3.0-or-later
// Which frames of the icicle are wide enough to be seen, and where.
const LEAST = 0.5; // pixels

// Frames {context, x, width, row}: those above `focus` over the whole width, then its subtree. `small` are gaps where
// frames are too narrow: {x, width, row}.
export function layout(study, values, wanted, width) {
  const focus = study.shown(wanted);
  const frames = [];
  const small = [];
  const above = [];
  for (let i = focus; i !== 0; i = study.up[i]) above.unshift(study.up[i]);
  above.forEach((context, row) => frames.push({ context, x: 0, width, row, above: true }));
  const total = values.value[focus];
  const scale = total > 0 ? width / total : 0;
  const stack = [[focus, 0, above.length]];
  let rows = above.length;
  while (stack.length) {
    const [context, x, row] = stack.pop();
    frames.push({ context, x, width: context === focus ? width : values.value[context] * scale, row, above: false });
    rows = Math.max(rows, row + 1);
    let next = x;
    let gap = null;
    for (const child of study.framesBelow(context)) {
      const wide = values.value[child] * scale;
      if (wide >= LEAST) {
        stack.push([child, next, row + 1]);
        gap = null;
      } else if (wide > 0) {
        if (!gap) small.push((gap = { x: next, width: 0, row: row + 1 }));
        gap.width += wide;
      }
      next += wide;
    }
  }
  return { frames, small: small.filter((gap) => gap.width >= LEAST), rows };
}

export function frameAt(frames, x, row) {
  return frames.find((frame) => frame.row === row && x >= frame.x && x < frame.x + frame.width) ?? null;
}

// How sure a value is: 0 measured; 1 to 6 predicted, by the half width of its interval relative to it. What makes all
// costs dearer together is left out: it moves no frame's share, and would make all hatches alike.
export const SURE = [0.05, 0.3, 1, 3, 10];
export function doubt(values, context, predicted) {
  if (!predicted) return 0;
  const value = values.value[context];
  const half = (values.alone[context] - values.low[context]) / 2 / value;
  const level = SURE.findIndex((limit) => half <= limit);
  return level < 0 || Number.isNaN(half) ? SURE.length + 1 : level + 1;
}
