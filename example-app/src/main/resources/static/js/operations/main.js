import { get } from '../api.js';
import { attempt, byId } from '../dom.js';
import { remember } from '../me.js';
import { startCapacity } from './capacity.js';
import { startInspector } from './inspector.js';
import { pollLoad, startLoad } from './load.js';
import { choose, drawMap, drawWorks } from './map.js';
import { pollPlans } from './plans.js';
import { startShard } from './shard.js';
import { startShell } from './shell.js';

const live = byId('live');

function showStatus(words, good) {
  if (live.textContent !== words) {
    live.textContent = words;
    live.classList.toggle('good', good);
  }
}

/** Repeats an action with a pause, except while the page is hidden. Never runs it concurrently. */
async function every(pause, work) {
  for (;;) {
    if (!document.hidden) {
      try {
        await work();
        showStatus('live', true);
      } catch (problem) {
        showStatus(problem.message, false);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

startShard();
startCapacity();
startLoad();
attempt(null, remember);
attempt(null, async () => {
  drawMap(await get('/operations/cluster'));
  startInspector();
  choose(0);
  every(1000, async () => drawMap(await get('/operations/cluster')));
  every(1000, pollLoad);
  every(1000, pollPlans);
  every(2500, async () => drawWorks(await get('/operations/works')));
  await startShell();
});
