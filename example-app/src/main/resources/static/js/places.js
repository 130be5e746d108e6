import { get } from './api.js';
import { byId, element } from './dom.js';

const COLOURS = 6;
const CELLS_AT_MOST = 512;
let map = { bits: [41, 13, 10], databases: [] };

/** Draws the databases with their shards. */
export async function showPlaces() {
  map = await get('shards');
  byId('shard-count').textContent = map.shards;
  byId('databases').replaceChildren(...map.databases.map(card));
  const homeless = byId('homeless');
  homeless.hidden = map.homeless === '';
  homeless.textContent = `No database that could be reached has the shards ${map.homeless}.`;
}

function card(database, index) {
  const made = element(
    'li',
    `db-${index % COLOURS}`,
    element('h3', '', element('span', 'name', database.name), element('span', 'address', database.address)),
    element('p', '', database.count === 0 ? 'no shards' : `shards ${database.ranges}`),
  );
  if (map.shards <= CELLS_AT_MOST) {
    const cells = element('div', 'cells', ...shardsIn(database.ranges).map(cell));
    cells.ariaHidden = 'true';
    made.append(cells);
  }
  return made;
}

function cell(shard) {
  const made = element('span', 'cell', shard);
  made.dataset.shard = shard;
  return made;
}

function shardsIn(ranges) {
  return ranges
    .split(', ')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [first, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
}

/** The shard that an id names: two operations on bits, which any client can make. */
export function shardOf(id) {
  const [, shardBits, sequenceBits] = map.bits.map(BigInt);
  return Number((BigInt(id) >> sequenceBits) & ((1n << shardBits) - 1n));
}

/** Where a row lives, in words. */
export function placeOf(id) {
  const shard = shardOf(id);
  const home = map.databases.find((database) => shardsIn(database.ranges).includes(shard));
  return `shard ${shard}${home ? ` on ${home.name}` : ''}`;
}

/** Lights up the shard of an id. */
export function pointAt(id) {
  const shard = String(shardOf(id));
  for (const one of document.querySelectorAll('.cell')) {
    one.classList.toggle('here', one.dataset.shard === shard);
  }
}
