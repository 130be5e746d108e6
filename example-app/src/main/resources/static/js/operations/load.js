import { del, get, put } from '../api.js';
import { attempt, byId, element } from '../dom.js';
import { drawBars } from './chart.js';
import { millis, number } from './words.js';

let running = false;

export const loadRuns = () => running;

export function startLoad() {
  byId('load-form').addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(byId('load-form'), async () =>
      draw(running ? await del('/operations/load') : await put('/operations/load', { perSecond: Number(byId('rate').value) })),
    );
  });
  draw({ running: false, seen: null });
}

export const pollLoad = async () => draw(await get('/operations/load'));

function draw({ running: runs, seen }) {
  running = runs;
  byId('load-button').textContent = runs ? 'Stop' : 'Start';
  byId('load-button').classList.toggle('stop', runs);
  byId('rate').disabled = runs;
  const now = runs ? seen : null;
  const figure = (term, value, cls = '') => element('div', cls, element('dt', '', term), element('dd', '', value));
  byId('figures').replaceChildren(
    figure('per second', now ? number(now.perSecond) : '–'),
    figure('median', now ? millis(now.median) : '–'),
    figure('95th percentile', now ? millis(now.p95) : '–'),
    figure('99th percentile', now ? millis(now.p99) : '–'),
    figure('longest', now ? millis(now.longest) : '–'),
    figure('failed', seen ? number(seen.failed) : '–', seen?.failed > 0 ? 'bad' : ''),
    figure('total', seen ? number(seen.total) : '–'),
  );
  const series = seen?.series ?? Array.from({ length: 59 }, () => ({ done: 0, longest: 0, failed: 0 }));
  const failed = series.map((point) => point.failed);
  drawBars(byId('chart-writes'), series.map((point) => point.done), failed, `${now?.perSecond ?? 0} writes per second now`);
  drawBars(byId('chart-longest'), series.map((point) => point.longest), series.map(() => 0), `Longest write in the last ten seconds: ${millis(now?.longest ?? 0)}`);
  const failure = byId('load-failure');
  failure.hidden = !(now && failed.slice(-5).some((count) => count > 0));
  failure.textContent = seen?.lastFailure ?? '';
}
