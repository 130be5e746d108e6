import { get } from './api.js';
import { element } from './dom.js';

export const COLOURS = 6;
let map = { shards: 0, bits: [41, 13, 10], databases: [] };
const homes = new Map();

/** Learns where each shard lives. */
export async function learnPlaces() {
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

/** The shard that an id names: two operations on bits, which any client can make. */
export function shardOf(id) {
  const [, shardBits, sequenceBits] = map.bits.map(BigInt);
  return Number((BigInt(id) >> sequenceBits) & ((1n << shardBits) - 1n));
}

/** Where a row lives, in words. */
export function placeOf(id) {
  const home = homes.get(shardOf(id));
  return `shard ${shardOf(id)}${home ? ` on ${home.name}` : ''}`;
}

/** Where a row lives, as a small sign in the colour of the database. */
export function placeSign(id) {
  const home = homes.get(shardOf(id));
  const sign = element('span', `place ${home?.colour ?? ''}`, `shard ${shardOf(id)}`);
  sign.title = `This row lives in ${placeOf(id)}: its id says so.`;
  return sign;
}
