import { get } from '../api.js';
import { attempt, byId, element, onSubmit, time } from '../dom.js';
import { choose, pointAt } from './map.js';

const WORDS = { timestamp: 'milliseconds since the epoch', shard: 'logical shard', sequence: 'sequence' };

export function startInspector() {
  onSubmit(byId('inspect'), byId('id'), (text) => inspect(text));
  const [, fromLink] = /^#id=(.+)$/.exec(location.hash) ?? [];
  if (fromLink) {
    byId('id').value = decodeURIComponent(fromLink);
    attempt(null, () => inspect(byId('id').value)).then(() => byId('inspector').scrollIntoView());
  }
}

/** The last part of a link is the id. */
const idIn = (text) => text.replace(/[?#].*$/, '').replace(/\/+$/, '').split('/').pop().trim();

async function inspect(text) {
  const field = byId('id');
  try {
    const id = await get(`/ids/${encodeURIComponent(idIn(text))}`);
    field.removeAttribute('aria-invalid');
    pointAt(id.shard);
    byId('decoded').replaceChildren(bits(id), legend(id), facts(id));
  } catch (problem) {
    if (problem.status !== 400 && problem.status !== 404) {
      throw problem;
    }
    field.setAttribute('aria-invalid', 'true');
    pointAt(-1);
    byId('decoded').replaceChildren(element('p', 'notice', 'This is not a valid id. ', problem.message));
  }
}

/** The sign bit, and each field in its colour. */
function bits(id) {
  const sign = field('sign', '0'.repeat(64 - id.fields.reduce((sum, one) => sum + one.bits, 0)));
  const made = element('div', 'bits', sign, ...id.fields.map(({ name, binary }) => field(name, binary)));
  made.ariaHidden = 'true';
  return made;
}

function field(name, binary) {
  return element('span', `field ${name}`, ...[...binary].map((bit) => element('span', bit === '1' ? 'bit one' : 'bit', bit)));
}

function legend(id) {
  const lines = id.fields.map(({ name, bits, value }) => element('li', `field ${name}`, element('b', '', value), ` ${WORDS[name] ?? name}, ${bits} bits`));
  return element('ul', 'legend-bits', ...lines);
}

function facts(id) {
  const list = element('dl', 'facts');
  const add = (term, value, cls = '') => list.append(element('dt', '', term), element('dd', cls, value));
  const known = id.schema !== null;
  add('generated', time(id.instant));
  add('by', id.node === null ? 'the database' : `JVM node ${id.node}`);
  add('stored on', known ? `${id.database ?? 'an unreachable database'}, in schema ${id.schema}` : `no database: this cluster has no shard ${id.shard}`);
  add('id', id.id, 'mono');
  add('short', id.text, 'mono');
  if (known) {
    const show = element('button', 'plain', `Shard ${id.shard} in the map`);
    show.type = 'button';
    show.addEventListener('click', () => {
      choose(id.shard);
      byId('shard-title').focus();
    });
    add('see', show);
  }
  return list;
}
