import { get } from './api.js';
import { attempt, byId, element, onSubmit, time } from './dom.js';
import { pointAt } from './places.js';

const WORDS = { timestamp: 'milliseconds since the epoch', shard: 'logical shard', sequence: 'sequence' };

export function startInspector() {
  onSubmit(byId('inspect'), byId('id'), inspect);
}

/** A button that shows an id and takes it apart. */
export function idButton(id, text = id) {
  const button = element('button', 'id', text);
  button.type = 'button';
  button.title = `Take ${id} apart`;
  button.addEventListener('click', () => {
    byId('id').value = id;
    attempt(null, () => inspect(id)).then(() => byId('inspector').scrollIntoView({ block: 'nearest' }));
  });
  return button;
}

async function inspect(idOrText) {
  const id = await get(`ids/${encodeURIComponent(idOrText)}`);
  pointAt(id.id);
  byId('decoded').replaceChildren(element('div', 'bits', ...id.fields.map(field)), facts(id));
}

function field({ name, bits, value, binary }) {
  const digits = element('div', 'digits', ...[...binary].map((bit) => element('span', bit === '1' ? 'bit one' : 'bit', bit)));
  digits.ariaHidden = 'true';
  return element(
    'div',
    `field ${name}`,
    element('h3', '', `${bits} bits · ${WORDS[name] ?? name}`, element('span', '', value)),
    digits,
  );
}

function facts(id) {
  const list = element('dl', '');
  const add = (term, value, className = '') => list.append(element('dt', '', term), element('dd', className, value));
  add('made', time(id.instant));
  add('by', id.node === null ? 'the database' : `JVM node ${id.node}`);
  add('lives', id.schema === null ? `shard ${id.shard}: this cluster has no such shard` : `${id.database ?? 'a database out of reach'} · ${id.schema}`);
  add('id', id.id, 'mono');
  add('text', id.text, 'mono');
  return list;
}
