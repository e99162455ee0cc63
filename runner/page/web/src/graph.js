// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for whom: waiters on the left, holders on the right, an arrow as thick as its share. d3-force keeps nodes
// of a
// column apart.
import { forceCollide, forceSimulation, forceX, forceY } from 'd3-force';
import { el, svg } from './dom.js';
import * as format from './format.js';
import { base, title } from './words.js';

const BOX = { most: 148, height: 40 };
const boxWidth = (width) => Math.min(BOX.most, 0.38 * width);

function node(study, end, side) {
  const name = end.context >= 0 ? title(study, end.context) : 'not known';
  const file = end.context >= 0 ? base(study.fileOf(end.context)) : '';
  return {
    key: `${side} ${end.context} ${end.via} ${end.line} ${end.column}`,
    end,
    side,
    name,
    where: file ? `${file}${end.line ? `:${end.line}` : ''}${end.column ? `:${end.column}` : ''}` : (end.via ?? ''),
    weight: 0,
  };
}

function collect(study, blame) {
  const nodes = new Map();
  const add = (end, side, share) => {
    const made = node(study, end, side);
    if (!nodes.has(made.key)) nodes.set(made.key, made);
    nodes.get(made.key).weight += share;
    return nodes.get(made.key);
  };
  const links = blame.edges.map((edge) => ({
    edge,
    waiter: add(edge.waiter, 'waits', edge.share),
    holder: add(edge.holder, 'holds', edge.share),
  }));
  return { nodes: [...nodes.values()], links };
}

function arrange(nodes, width) {
  const half = boxWidth(width) / 2;
  const columns = { waits: half + 2, holds: width - half - 2 };
  let most = 0;
  for (const side of ['waits', 'holds']) {
    const list = nodes.filter((n) => n.side === side).sort((a, b) => b.weight - a.weight);
    list.forEach((n, i) => {
      n.x = columns[side];
      n.y = 40 + i * (BOX.height + 14);
    });
    most = Math.max(most, list.length);
  }
  const height = most * (BOX.height + 14) + 36;
  const few = nodes.filter((n) => n.side === 'holds').length;
  forceSimulation(nodes)
    .stop()
    .force('x', forceX((n) => columns[n.side]).strength(1))
    .force('collide', forceCollide(BOX.height / 2 + 6))
    .force('y', forceY((n) => (n.side === 'holds' && few < most ? height / 2 : n.y)).strength(0.15))
    .tick(120);
  for (const n of nodes) {
    n.x = columns[n.side];
    n.y = Math.min(Math.max(n.y, 24 + BOX.height / 2), height - BOX.height / 2 - 2);
  }
  return height;
}

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

export function blameGraph(app, study, blame, width) {
  const { nodes, links } = collect(study, blame);
  const height = arrange(nodes, width);
  const wide = boxWidth(width);
  const letters = Math.floor(wide / 6.8);
  const arrow = ({ edge, waiter, holder }) => {
    const [x1, x2] = [waiter.x + wide / 2, holder.x - wide / 2 - 5];
    const middle = (x1 + x2) / 2;
    return svg(
      'path',
      {
        d: `M${x1},${waiter.y}C${middle},${waiter.y} ${middle},${holder.y} ${x2},${holder.y}`,
        class: 'edge',
        'stroke-width': 1 + 7 * edge.share,
        'marker-end': 'url(#arrow)',
      },
      svg(
        'title',
        {},
        `${format.count(edge.waits)} waits, ${format.seconds(edge.seconds)}: ${format.percent(edge.share)}`,
      ),
    );
  };
  const box = (n) =>
    svg(
      'g',
      {
        class: `box ${n.side}`,
        transform: `translate(${n.x - wide / 2},${n.y - BOX.height / 2})`,
        onclick: () => {
          if (n.end.context >= 0) app.open(n.end.context, { reveal: true, tab: true });
        },
      },
      svg('rect', { width: wide, height: BOX.height, rx: 5 }),
      svg('text', { x: 8, y: 16, class: 'name' }, cut(n.name, letters)),
      svg('text', { x: 8, y: 31 }, cut(n.where, letters + 3)),
      svg('title', {}, `${n.name} ${n.where}`),
    );
  const words = links
    .map(({ edge, waiter, holder }) => `${waiter.name} waits ${format.seconds(edge.seconds)} for ${holder.name}`)
    .join('; ');
  return el(
    'figure',
    { class: 'blame' },
    svg(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': words },
      svg(
        'defs',
        {},
        svg(
          'marker',
          {
            id: 'arrow',
            viewBox: '0 0 8 8',
            refX: 5,
            refY: 4,
            markerWidth: 15,
            markerHeight: 15,
            markerUnits: 'userSpaceOnUse',
            orient: 'auto',
          },
          svg('path', { d: 'M0,0L8,4L0,8z', class: 'tip' }),
        ),
      ),
      svg('text', { x: 4, y: 13, class: 'side' }, blame.expected ? 'acquires' : 'waits'),
      svg('text', { x: width - 4, y: 13, 'text-anchor': 'end', class: 'side' }, 'holds'),
      links.map(arrow),
      nodes.map(box),
    ),
    el(
      'figcaption',
      { class: 'quiet' },
      blame.expected
        ? 'Nobody waited yet: who would, by what they acquire and hold.'
        : `Waiting at ${study.parameter} = ${format.size(blame.large)}${blame.edge_count > blame.edges.length ? `; the ${blame.edges.length} largest of ${blame.edge_count}` : ''}.`,
    ),
  );
}
