import { del, get, post, put } from '../api.js';
import { attempt, byId, element } from '../dom.js';
import { loadRuns } from './load.js';
import { onShard } from './map.js';
import { fraction } from './plans.js';
import { bytes, millis, millisOf, number, rate } from './words.js';

const STEPS = [
  ['Prepare', ['PREPARE', 'PUBLISH']],
  ['Copy', ['COPY']],
  ['Catch up', ['CATCH_UP']],
  ['Switch', ['FENCE', 'CARRY_OVER', 'SWITCH']],
  ['Clean up', ['CLEAN_UP', 'DONE']],
];
const POLL = 200;
let shown = null;
let moving = false;
let empty = new Set();

export function startShard() {
  byId('steps').append(...STEPS.map(([word]) => element('li', '', word)));
  onShard(show);
  byId('move').addEventListener('submit', (event) => {
    event.preventDefault();
    const to = byId('target').value;
    if (!empty.has(to) || confirm(`${to} has no shards: it was drained, or is new. Move shard ${shown.shard} there?`)) {
      attempt(null, () => act({ action: 'move', to }));
    }
  });
  byId('resume').addEventListener('click', () => attempt(null, () => act({ action: 'resume' })));
  byId('abort').addEventListener('click', () => attempt(null, () => act({ action: 'abort' })));
}

function show(shard, databases) {
  empty = new Set(databases.filter(({ count }) => count === 0).map(({ name }) => name));
  if (moving && shard.shard !== shown?.shard) {
    return;
  }
  const other = shown?.shard !== shard.shard;
  const elsewhere = shown?.database !== shard.database;
  shown = shard;
  if (other) {
    byId('shard-title').textContent = `Shard ${shard.shard}`;
    for (const part of ['moving', 'moved', 'stuck']) {
      byId(part).hidden = true;
    }
  }
  if (other || elsewhere) {
    const targets = databases.filter(({ name }) => name !== shard.database);
    byId('target').replaceChildren(...targets.map(({ name }) => new Option(name, name)));
  }
  byId('move').hidden = shard.database === null || databases.length < 2;
  about(shard, databases.findIndex(({ name }) => name === shard.database));
}

function about(shard, colour) {
  const list = element('dl', 'facts');
  const add = (term, value) => list.append(element('dt', '', term), element('dd', '', value));
  add('database', shard.database === null ? 'unreachable' : element('strong', `name db-${colour}`, shard.database));
  add('size', `${bytes(shard.bytes)}, about ${number(shard.rows)} rows`);
  add('writes', `${rate(shard.writesPerSecond)} rows per second`);
  add('generation', shard.generation);
  byId('shard-about').replaceChildren(list);
}

/** Starts an action with the actuator endpoint, and follows its progress. */
async function act(request) {
  const { shard } = shown;
  const began = performance.now();
  const loaded = loadRuns();
  moving = true;
  byId('move-button').disabled = true;
  byId('stuck').hidden = true;
  byId('moved').hidden = true;
  try {
    if (loaded) {
      await put('/operations/load/watch', { shard });
    }
    await post(`/actuator/shards/${shard}`, request);
    const failure = await follow(shard);
    await settle(shard, failure, performance.now() - began, loaded);
  } finally {
    moving = false;
    byId('move-button').disabled = false;
  }
}

/** Returns the reason of a failure, or null. */
async function follow(shard) {
  byId('moving').hidden = false;
  for (;;) {
    const { underWay } = await get('/actuator/shards');
    const mine = underWay.find((one) => one.shard === shard);
    if (!mine || mine.failure !== null) {
      draw(mine ? mine.progress : { step: 'DONE', bytesCopied: -1, bytesTotal: -1, lagBytes: -1 });
      return mine ? mine.failure : null;
    }
    draw(mine.progress);
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
}

function draw(progress) {
  const at = STEPS.findIndex(([, steps]) => steps.includes(progress?.step));
  const done = progress?.step === 'DONE';
  [...byId('steps').children].forEach((step, index) => {
    step.className = done || index < at ? 'done' : index === at ? 'now' : '';
    step.ariaCurrent = step.className === 'now' ? 'step' : null;
  });
  const bar = byId('progress');
  bar.value = fraction(progress);
  byId('progress-words').textContent = words(progress);
  bar.hidden = byId('progress-words').hidden = done;
}

function words(progress) {
  const parts = [];
  if (progress?.bytesCopied >= 0) {
    parts.push(`${bytes(progress.bytesCopied)} of about ${bytes(progress.bytesTotal)} copied`);
  }
  if (progress?.lagBytes >= 0) {
    parts.push(`${bytes(progress.lagBytes)} behind`);
  }
  return parts.join(' · ');
}

async function settle(shard, failure, took, loaded) {
  const watched = loaded ? (await del('/operations/load/watch')).watched : null;
  const result = byId('moved');
  result.hidden = false;
  result.classList.toggle('bad', failure !== null);
  byId('stuck').hidden = failure === null;
  if (failure !== null) {
    result.replaceChildren(element('p', '', `The move stopped: ${failure}`));
    return;
  }
  const [last] = (await get(`/actuator/shards/${shard}`)).moves;
  const list = element('dl', 'facts');
  const add = (term, value) => list.append(element('dt', '', term), element('dd', '', value));
  add('duration', took < 1000 ? millis(took) : `${rate(took / 1000)} s`);
  if (last?.pause) {
    add('writes blocked for', millis(millisOf(last.pause)));
  }
  if (watched) {
    add('writes during the move', `${number(watched.writes)}, ${number(watched.failed)} failed`);
    add('longest write', millis(watched.longest));
  } else {
    add('writes during the move', 'not measured: start the load first');
  }
  const headline = last?.step === 'ABORTED' ? `Aborted: the shard stays on ${last.source}` : `Moved from ${last?.source} to ${last?.target}`;
  result.replaceChildren(element('p', '', element('strong', '', headline)), list);
  byId('shard-title').focus({ preventScroll: true });
}
