import { get } from './api.js';
import { element } from './dom.js';

export const COLOURS = 6;
let map = { shards: 0, bits: [41, 13, 10], databases: [] };
const homes = new Map();

/** Loads the shard map. */
export async function loadShards() {
  map = await get('/shards');
  map.databases.forEach((database, index) => {
    for (const shard of shardsIn(database.ranges)) {
      homes.set(shard, { name: database.name, colour: `db-${index % COLOURS}` });
    }
  });
  return map;
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

/** The shard in an id: two bit operations, which every client can do. */
export function shardOf(id) {
  const [, shardBits, sequenceBits] = map.bits.map(BigInt);
  return Number((BigInt(id) >> sequenceBits) & ((1n << shardBits) - 1n));
}

/** The shard and database of a row, as text. */
export function locationOf(id) {
  const home = homes.get(shardOf(id));
  return `shard ${shardOf(id)}${home ? ` on ${home.name}` : ''}`;
}

/** The shard of a row, as a badge in the colour of the database. */
export function shardBadge(id) {
  const home = homes.get(shardOf(id));
  const badge = element('span', `shard-badge ${home?.colour ?? ''}`, `shard ${shardOf(id)}`);
  badge.title = `This row is stored in ${locationOf(id)}, according to its id.`;
  return badge;
}
