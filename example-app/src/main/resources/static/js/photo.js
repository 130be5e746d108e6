import { get, post } from './api.js';
import { ago, attempt, byId, element, link, missing, onSubmit } from './dom.js';
import { byLine, foot, image, locationName } from './card.js';
import { meOrSignUp, remember, viewer } from './me.js';
import { avatar } from './people.js';
import { loadShards } from './shards.js';

let photo = null;

function show() {
  document.title = `${photo.caption}: a photo by ${photo.authorName}`;
  byId('photo-title').textContent = photo.caption;
  const inspect = link(`/operations#id=${photo.text}`, 'hint', 'Decode its id');
  byId('photo').replaceChildren(
    element('div', 'picture', image(photo, 'image', false)),
    element('div', 'about', byLine(photo), element('p', 'caption', photo.caption), ...locationName(photo), foot(photo), inspect),
  );
}

function comment(said) {
  const name = said.userName ?? 'unknown user (database is down)';
  return element(
    'li',
    '',
    avatar(name),
    element('div', '', element('p', 'by', link(`/u/${said.user}`, 'author', name), ago(said.createdAt)), element('p', '', said.text)),
  );
}

async function comments(path) {
  const page = await get(path);
  byId('comment-list').append(...page.items.map(comment));
  byId('comments-empty').hidden = byId('comment-list').childElementCount > 0;
  byId('older').hidden = page.next === null;
  byId('older').onclick = () => attempt(null, () => comments(page.next));
}

onSubmit(byId('comment'), byId('text'), async (text) => {
  const me = meOrSignUp();
  if (me !== null) {
    const said = await post(`/photos/${photo.id}/comments`, { user: me.id, text });
    byId('comment-list').prepend(comment(said));
    byId('comments-empty').hidden = true;
    byId('text').value = '';
  }
});
attempt(null, async () => {
  const id = location.pathname.split('/').pop();
  await Promise.all([remember(), loadShards()]);
  try {
    photo = await get(`/photos/${id}?${viewer()}`);
  } catch (problem) {
    missing('This photo does not exist', problem);
    return;
  }
  show();
  await comments(`/photos/${photo.id}/comments?limit=20`);
});
