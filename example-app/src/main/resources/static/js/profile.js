import { get } from './api.js';
import { attempt, byId, element } from './dom.js';
import { startFeed } from './feed.js';
import { remember } from './me.js';
import { avatar } from './people.js';
import { learnPlaces, placeOf, placeSign } from './places.js';

attempt(null, async () => {
  const id = location.pathname.split('/').pop();
  const [user] = await Promise.all([get(`/users/${id}`), learnPlaces(), remember()]);
  document.title = `${user.name} on Prism`;
  byId('feed-title').textContent = user.name;
  avatar(user.name, byId('avatar'));
  const since = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(new Date(user.createdAt));
  byId('person-about').replaceChildren(placeSign(user.id), element('span', '', ` Here since ${since}. All of it lives in ${placeOf(user.id)}.`));
  await startFeed(`/users/${user.id}/photos`);
});
