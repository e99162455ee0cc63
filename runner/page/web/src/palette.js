// SPDX-License-Identifier: GPL-3.0-or-later
// Colours come from the style sheet, so that light, dark and print have their own. From blue by yellow to dark red,
// with
// lightness falling (in the dark: rising saturation): readable with every kind of colour blindness.
const KEYS = ['g0', 'g1', 'g2', 'g3', 'g4', 'g5', 'gn', 'gs', 'd0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6', 'dn'];

function lightness(colour) {
  const [r, g, b] = colour.match(/\w\w/g).map((hex) => (parseInt(hex, 16) / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const contrast = (colour, limit) => (lightness(colour) > limit ? '#14191f' : '#ffffff');

export function palette() {
  const style = getComputedStyle(document.documentElement);
  const colours = {};
  for (const key of KEYS) {
    const fill = style.getPropertyValue(`--${key}`).trim();
    colours[key] = { fill, ink: contrast(fill, 0.2), lines: contrast(fill, 0.06) };
  }
  for (const key of ['surface', 'ink', 'quiet', 'accent', 'match', 'line'])
    colours[key] = style.getPropertyValue(`--${key}`).trim();
  return colours;
}

// Classes of change, from much better to much worse.
const STEPS = [0.5, 0.8, 0.97, 1.03, 1.25, 2];
export function changeKey(factor) {
  if (Number.isNaN(factor)) return 'dn';
  const step = STEPS.findIndex((limit) => factor < limit);
  return `d${step < 0 ? 6 : step}`;
}

export function changeSign(factor) {
  if (Number.isNaN(factor)) return '';
  if (factor === Infinity) return '+';
  return factor < STEPS[2] ? '▼' : factor >= STEPS[3] ? '▲' : '';
}

// Hatches by doubt: thin far lines, then nearer and thicker ones; crossed ones beyond the value itself, nearer and
// nearer.
const LINES = [
  null,
  { gap: 11, width: 0.9 },
  { gap: 7, width: 1.1 },
  { gap: 5, width: 1.5 },
  { gap: 12, width: 1.1, cross: true },
  { gap: 7, width: 1.2, cross: true },
  { gap: 4, width: 1.2, cross: true },
];

export function hatch(context, level, colour, ratio) {
  const { gap, width, cross } = LINES[level];
  const tile = document.createElement('canvas');
  const side = Math.round(gap * ratio);
  tile.width = tile.height = side;
  const pen = tile.getContext('2d');
  pen.strokeStyle = colour;
  pen.lineWidth = width * ratio;
  pen.beginPath();
  for (const shift of [-side, 0, side]) {
    pen.moveTo(shift, side);
    pen.lineTo(shift + side, 0);
    if (cross) {
      pen.moveTo(shift, 0);
      pen.lineTo(shift + side, side);
    }
  }
  pen.stroke();
  const pattern = context.createPattern(tile, 'repeat');
  pattern.setTransform(new DOMMatrix().scale(1 / ratio));
  return pattern;
}
