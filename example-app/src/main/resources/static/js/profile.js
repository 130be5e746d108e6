import { get } from './api.js';
import { attempt, byId, element, missing } from './dom.js';
import { startFeed } from './feed.js';
import { remember } from './me.js';
import { avatar } from './people.js';
import { loadShards, locationOf, shardBadge } from './shards.js';

attempt(null, async () => {
  const id = location.pathname.split('/').pop();
  await Promise.all([loadShards(), remember()]);
  let user;
  try {
    user = await get(`/users/${id}`);
  } catch (problem) {
    missing('This user does not exist', problem);
    return;
  }
  document.title = `${user.name} on Prism`;
  byId('feed-title').textContent = user.name;
  avatar(user.name, byId('avatar'));
  const since = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(new Date(user.createdAt));
  byId('person-about').replaceChildren(shardBadge(user.id), element('span', '', ` Joined ${since}. All photos are stored in ${locationOf(user.id)}.`));
  await startFeed(`/users/${user.id}/photos`);
});
