// SPDX-License-Identifier: GPL-3.0-or-later
// Models as values at the sizes of a grid. Between two of them a curve is straight in logarithms.
const VALUE_STEPS = 2 ** 20;
const WIDTH_STEPS = 256;
const ZERO = -(2 ** 29);
const UNBOUNDED = 2 ** 29;

const value = (steps) => (steps <= ZERO ? 0 : steps >= UNBOUNDED ? Infinity : 2 ** (steps / VALUE_STEPS));

// {value, low, high} as Float64Array over the grid; a curve without widths is exact.
export function decode(deltas, count) {
  if (!deltas) return null;
  const out = { value: new Float64Array(count), low: null, high: null };
  for (let i = 0, steps = 0; i < count; i++) out.value[i] = value((steps += deltas[i]));
  out.low = out.high = out.value;
  if (deltas.length > count) {
    out.low = new Float64Array(count);
    out.high = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const [down, up] = [deltas[count + i], deltas[2 * count + i]];
      out.low[i] = down < 0 ? 0 : out.value[i] / 2 ** (down / WIDTH_STEPS);
      out.high[i] = up < 0 ? Infinity : out.value[i] * 2 ** (up / WIDTH_STEPS);
    }
  }
  return out;
}

// Where a size lies in the grid: between `at` and `at` + 1, `share` of the way in logarithms.
export function place(grid, n) {
  let low = 0;
  let high = grid.length - 1;
  if (n <= grid[0]) return { at: 0, share: 0 };
  if (n >= grid[high]) return { at: high, share: 0 };
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (grid[middle] <= n) low = middle;
    else high = middle;
  }
  return { at: low, share: Math.log(n / grid[low]) / Math.log(grid[low + 1] / grid[low]) };
}

// What is not known of all costs together (docs/page.md, "doubt"); of counts nothing.
export const SURE = [0, 0, 1];

// The interval of a value that is known to `down` and `up` alone.
export function widened(value, down, up, [less, more, open]) {
  return {
    low: Math.max(0, value - Math.hypot(down, value * less)),
    high: Math.max(value + Math.hypot(up, value * more), value > 0 ? value * open : 0),
  };
}

export function at(list, { at: i, share }) {
  const a = list[i];
  if (share <= 0) return a;
  const b = list[i + 1];
  if (a > 0 && b > 0 && a < Infinity && b < Infinity) return a * (b / a) ** share;
  return a === b ? a : a + share * (b - a);
}
