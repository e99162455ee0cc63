// SPDX-License-Identifier: GPL-3.0-or-later
// How much of the whole stands in contexts of each growth, over the grid: what the slider runs through.
import { STRUCTURE, GROWTH, NO_MODEL } from './words.js';

export const STACK = [STRUCTURE, NO_MODEL, ...GROWTH];

export function sharesOf(study, partOf) {
  // Contexts of the same growth and model weigh together, so that the work goes with the models, not the contexts.
  const weights = new Map();
  for (let i = 0; i < study.size; i++) {
    const part = partOf[i] ? study.parts[partOf[i] - 1] : null;
    if (!part || !study.curves[part[0]]) continue;
    const key = part[0] * 16 + study.growth[i] + 2;
    weights.set(key, (weights.get(key) ?? 0) + part[1]);
  }
  return study.grid.map((n, at) => {
    const sums = STACK.map(() => 0);
    for (const [key, weight] of weights) sums[key % 16] += weight * study.curves[Math.floor(key / 16)].value[at];
    const all = sums.reduce((a, b) => a + b, 0);
    let from = 0;
    return {
      n,
      bands: sums.map((sum) => {
        const low = from;
        from += all > 0 ? sum / all : 0;
        return [low, from];
      }),
    };
  });
}
