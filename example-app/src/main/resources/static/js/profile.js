import { del, get } from './api.js';
import { attempt, byId, element, link, missing } from './dom.js';
import { startFeed } from './feed.js';
import { remember, signOut, whoami } from './me.js';
import { avatar } from './people.js';
import { loadShards, locationOf, shardBadge } from './shards.js';

/** The buttons that only the user of this page sees. */
function account(user) {
  const data = link(`/users/${user.id}/export`, 'button', 'Download my data');
  data.download = '';
  const leave = element('button', 'plain', 'Delete my account');
  leave.id = 'leave';
  leave.type = 'button';
  leave.addEventListener('click', () => {
    if (confirm('Delete your account, with your photos, likes and comments?')) {
      attempt(null, () => erase(user));
    }
  });
  byId('account').append(data, leave);
}

async function erase(user) {
  const erased = await del(`/users/${user.id}`);
  signOut();
  const tables = erased.tables.filter((table) => table.rows > 0)
    .map((table) => element('li', '', `${table.name}: ${table.rows} rows deleted, ${table.left} left`));
  byId('main').replaceChildren(
    element('h1', '', 'Your account is deleted'),
    element('p', 'notice', `${erased.rows} rows were deleted from ${locationOf(user.id)}, ${erased.left} are left.`),
    element('ul', '', ...tables),
    link('/', '', 'All photos'),
  );
}

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
  if (whoami()?.id === user.id) {
    account(user);
  }
  await startFeed(`/users/${user.id}/photos`);
});
