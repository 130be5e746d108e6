import { put } from '../api.js';
import { attempt, byId, element } from '../dom.js';
import { COLOURS } from '../shards.js';
import { drainButton } from './plans.js';
import { bytes, rate } from './words.js';

const cards = new Map();
const cells = new Map();
let chosen = null;
let onChoice = () => {};
let drawn = { databases: [], shards: [] };

/** Sets the listener that is notified when a shard is selected, or when the selected shard has changed. */
export function onShard(listener) {
  onChoice = listener;
}

/** Updates the map. Existing elements are kept, so the focus is kept. */
export function drawMap(now) {
  drawn = now;
  now.databases.forEach((database, index) => drawDatabase(database, index));
  const busiest = Math.max(5, ...now.shards.map((shard) => shard.writesPerSecond));
  now.shards.forEach((shard) => drawShard(shard, busiest));
  if (chosen === null) {
    cells.get(0)?.setAttribute('tabindex', '0');
  } else {
    onChoice(now.shards[chosen], now.databases);
  }
}

function drawDatabase(database, index) {
  if (!cards.has(database.name)) {
    cards.set(database.name, newCard(database, index));
  }
  const card = cards.get(database.name);
  const up = database.running && database.reachable;
  card.root.classList.toggle('down', !up);
  card.state.textContent = up ? 'up' : database.running ? 'unreachable' : 'stopped';
  card.figures.textContent = up
    ? `${database.count} shards · ${bytes(database.bytes)} · ${rate(database.writesPerSecond)} writes/s`
    : 'Only its shards are unavailable.';
  card.button.hidden = !database.stoppable;
  card.drain.hidden = !up || database.count === 0 || drawn.databases.length < 2;
  card.button.textContent = database.running ? 'Stop' : 'Start';
  card.button.ariaLabel = `${database.running ? 'Stop' : 'Start'} the server of ${database.name}`;
}

function newCard(database, index) {
  const made = {
    state: element('span', 'state'),
    figures: element('p', 'figures-line'),
    works: element('p', 'works'),
    button: element('button', 'quiet small'),
    drain: drainButton(database.name),
    cells: element('div', 'cells'),
  };
  made.button.type = 'button';
  made.button.addEventListener('click', () => stopOrStart(database.name, made.button));
  made.cells.setAttribute('role', 'group');
  made.cells.ariaLabel = `Shards of ${database.name}`;
  made.cells.addEventListener('keydown', walk);
  const name = element('h3', '', element('span', 'name', database.name), made.state, made.button, made.drain);
  made.root = element('li', `database db-${index % COLOURS}`, name, element('p', 'address', database.address), made.figures, made.cells, made.works);
  made.root.dataset.database = database.name;
  byId('databases').append(made.root);
  return made;
}

async function stopOrStart(name, button) {
  const running = drawn.databases.find((database) => database.name === name).running;
  if (running && !confirm(`Stop the server of ${name}? Its shards are unavailable until it is started again.`)) {
    return;
  }
  button.disabled = true;
  await attempt(null, async () => drawMap(await put(`/operations/databases/${name}`, { running: !running })));
  button.disabled = false;
}

/** Shows whether rows of each database can be read and written. */
export function drawWorks(works) {
  for (const { database, reads, writes, failure } of works) {
    const line = cards.get(database)?.works;
    if (line) {
      const sign = (word, works) => element('span', works ? 'good' : 'bad', `${works ? '✓' : '✗'} ${word}`);
      line.replaceChildren(...(reads === null ? [element('span', 'bad', 'no known shards')] : [sign('reads', reads), sign('writes', writes)]));
      line.title = failure ?? '';
    }
  }
}

function drawShard(shard, busiest) {
  if (!cells.has(shard.shard)) {
    cells.set(shard.shard, newCell(shard.shard));
  }
  const cell = cells.get(shard.shard);
  const home = shard.database === null ? null : cards.get(shard.database).cells;
  if (home !== null && cell.parentElement !== home) {
    settle(cell, home, shard.shard);
  }
  cell.style.setProperty('--heat', Math.min(1, shard.writesPerSecond / busiest).toFixed(3));
  cell.classList.toggle('fenced', shard.fenced);
  cell.classList.toggle('away', shard.database === null);
  const words = `Shard ${shard.shard}, ${bytes(shard.bytes)}, ${rate(shard.writesPerSecond)} writes per second`;
  cell.ariaLabel = words;
  cell.title = words;
}

/** Inserts a cell in the order of the numbers, and highlights it if it was moved. */
function settle(cell, home, number) {
  const focused = document.activeElement === cell;
  const next = [...home.children].find((other) => Number(other.dataset.shard) > number);
  const moved = cell.parentElement !== null;
  home.insertBefore(cell, next ?? null);
  if (moved) {
    cell.classList.add('arrived');
    cell.addEventListener('animationend', () => cell.classList.remove('arrived'), { once: true });
  }
  if (focused) {
    cell.focus();
  }
}

function newCell(number) {
  const cell = element('button', 'cell', number);
  cell.type = 'button';
  cell.tabIndex = -1;
  cell.dataset.shard = number;
  cell.ariaPressed = 'false';
  cell.addEventListener('click', () => choose(number));
  return cell;
}

/** Selects a shard. */
export function choose(number) {
  chosen = number;
  for (const [shard, cell] of cells) {
    cell.ariaPressed = String(shard === number);
    cell.tabIndex = shard === number ? 0 : -1;
  }
  if (drawn.shards[number]) {
    onChoice(drawn.shards[number], drawn.databases);
  }
}

/** Highlights the shard of the id that is decoded. */
export function pointAt(number) {
  for (const [shard, cell] of cells) {
    cell.classList.toggle('pointed', shard === number);
  }
}

const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

function walk(event) {
  const all = [...document.querySelectorAll('.cell')];
  const here = event.target.closest('.cell');
  const columns = getComputedStyle(here.parentElement).gridTemplateColumns.split(' ').length;
  const step = STEPS[event.key] ?? { ArrowDown: columns, ArrowUp: -columns }[event.key];
  if (step !== undefined) {
    event.preventDefault();
    const next = all[Math.min(all.length - 1, Math.max(0, all.indexOf(here) + step))];
    here.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}
