import { byId, element } from '../dom.js';
import { bytes, number } from './words.js';

/** Measured: see docs/capacity.md. Bytes, and seconds of a processor. A table has two indexes, a sequence and a text. */
const BACKEND = 2.1e6;
const USED_TABLE = 18e3;
const KEPT_PLAN = 13e3;
const CATALOGS = 9e6;
const SHARD_IN_CATALOGS = 42e3;
const TABLE_IN_CATALOGS = 17.5e3;
const SHARD_FILES = 69e3;
const TABLE_FILES = 28e3;
const FIRST_START = 5;
const CREATED_SHARD = 22e-3;
const CREATED_TABLE = 1e-3;

const KEPT_STATEMENTS = 4096;

/**
 * What a cluster needs of each server: for an application that uses all tables of all shards, with some statements for each.
 * These formulas are nowhere else in code.
 */
export function capacityOf({ shards, tables, statements, servers, instances, pool }) {
  const shardsOfServer = Math.ceil(shards / servers);
  const tablesOfServer = shardsOfServer * tables;
  const backend = BACKEND + tablesOfServer * USED_TABLE + Math.min(KEPT_STATEMENTS, tablesOfServer * statements) * KEPT_PLAN;
  const connections = instances * pool;
  return {
    tables: tablesOfServer,
    connections,
    backend,
    backends: connections * backend,
    catalogs: CATALOGS + shardsOfServer * SHARD_IN_CATALOGS + tablesOfServer * TABLE_IN_CATALOGS,
    files: shardsOfServer * SHARD_FILES + tablesOfServer * TABLE_FILES,
    provisioning: FIRST_START + shardsOfServer * CREATED_SHARD + tablesOfServer * CREATED_TABLE,
  };
}

const figure = (term, value) => element('div', '', element('dt', '', term), element('dd', '', value));

function draw() {
  const form = byId('capacity-form');
  const result = byId('capacity-result');
  if (!form.checkValidity()) {
    result.replaceChildren(figure('', '–'));
    return;
  }
  const needed = capacityOf(Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, Number(value)])));
  result.replaceChildren(
    figure('tables', number(needed.tables)),
    figure('connections', number(needed.connections)),
    figure('a backend', bytes(needed.backend)),
    figure('all backends', bytes(needed.backends)),
    figure('catalogs', bytes(needed.catalogs)),
    figure('files of empty tables', bytes(needed.files)),
    figure('first start, CPU time', `${number(needed.provisioning)} s`),
  );
}

export function startCapacity() {
  byId('capacity-form').addEventListener('input', draw);
  byId('capacity-form').addEventListener('submit', (event) => event.preventDefault());
  draw();
}
