// SPDX-License-Identifier: GPL-3.0-or-later
// The keyboard in the flame graph: up to the caller, down to the costliest callee, left and right among its siblings.
function next(flame, key) {
  const { study } = flame.app;
  const values = flame.app.values();
  if (flame.state.get('selected') < 0) return flame.state.get('focus');
  const selected = study.shown(flame.state.get('selected'));
  const visible = (context) => values.value[context] > 0;
  if (key === 'ArrowUp') return selected === 0 ? 0 : study.up[selected];
  if (key === 'ArrowDown') return [...study.framesBelow(selected)].find(visible) ?? selected;
  if (key === 'Home') return flame.state.get('focus');
  if (selected === 0) return 0;
  const siblings = [...study.framesBelow(study.up[selected])].filter(visible);
  return siblings[siblings.indexOf(selected) + (key === 'ArrowLeft' ? -1 : 1)] ?? selected;
}

export function attachKeys(flame) {
  flame.element.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home'].includes(event.key)) {
      flame.app.open(next(flame, event.key), { quiet: true });
      flame.reveal(flame.state.get('selected'));
      flame.tipSelected();
    } else if (event.key === 'Enter') {
      const selected = flame.state.get('selected');
      flame.app.open(selected < 0 ? flame.state.get('focus') : selected, { zoom: true });
    } else if (event.key === ' ') {
      flame.app.showTab('context');
    } else {
      return;
    }
    event.preventDefault();
  });
  // So that there is something to be read as soon as it is reached.
  flame.element.addEventListener('focus', () => {
    if (flame.state.get('selected') < 0) flame.app.open(flame.state.get('focus'), { quiet: true });
    if (flame.element.matches(':focus-visible')) flame.tipSelected();
  });
  flame.element.addEventListener('blur', () => flame.hideTip());
}
