import { get, post, Problem } from './api.js';
import { attempt, byId, element, onSubmit, time } from './dom.js';
import { idButton } from './inspector.js';
import { placeOf, pointAt } from './places.js';

let me = null;
let visited = null;

export function startSharing() {
  onSubmit(byId('join'), byId('name'), join);
  onSubmit(byId('post'), byId('caption'), publish);
  onSubmit(byId('visit'), byId('whose'), async (name) => visit(await userNamed(name)));
}

const userNamed = (name) => get(`users?name=${encodeURIComponent(name)}`);

async function join(name) {
  me = await userNamed(name).catch((problem) => {
    if (problem instanceof Problem && problem.status === 404) {
      return post('users', { name });
    }
    throw problem;
  });
  byId('me').replaceChildren(element('strong', '', me.name), ` lives in ${placeOf(me.id)}. Id: `, idButton(me.id));
  pointAt(me.id);
  for (const part of byId('post').querySelectorAll('input, button')) {
    part.disabled = false;
  }
  await visit(me);
}

async function publish(caption) {
  await post('photos', { author: me.id, caption });
  byId('caption').value = '';
  await visit(me);
}

async function visit(user) {
  visited = user;
  byId('photos').replaceChildren();
  await load(`users/${user.id}/photos?limit=12`);
  byId('album-title').textContent = `Photos of ${user.name}, in ${placeOf(user.id)}`;
  byId('album').hidden = false;
}

async function load(path) {
  const owner = visited;
  const page = await get(path);
  if (owner !== visited) {
    return;
  }
  byId('photos').append(...page.items.map(card));
  byId('album-empty').hidden = byId('photos').childElementCount > 0;
  const more = byId('more');
  more.hidden = page.next === null;
  more.onclick = () => attempt(null, () => load(page.next.replace(/^\//, '')));
}

function card(photo) {
  const picture = element('div', 'picture');
  // Neighbouring ids get hues far apart.
  picture.style.setProperty('--hue', Number((BigInt(photo.id) * 137n) % 360n));
  return element(
    'li',
    'photo',
    picture,
    element('div', 'about', element('p', 'caption', photo.caption), time(photo.createdAt)),
    element('div', 'foot', likeButton(photo), idButton(photo.id, photo.text)),
  );
}

function likeButton(photo) {
  const button = element('button', 'quiet like');
  const show = (likes) => {
    button.textContent = `♥ ${likes}`;
    button.ariaLabel = `Like "${photo.caption}", liked by ${likes}`;
  };
  show(photo.likes);
  button.type = 'button';
  button.addEventListener('click', () =>
    attempt(null, async () => {
      if (me === null) {
        byId('name').focus();
        throw new Problem(0, 'Join first: a like needs someone who likes.');
      }
      show((await post(`photos/${photo.id}/likes`, { user: me.id })).likes);
    }),
  );
  return button;
}
