import { attempt, byId, onSubmit } from './dom.js';
import { startComposer } from './composer.js';
import { startFeed } from './feed.js';
import { remember, signUp } from './me.js';
import { loadShards } from './shards.js';

function greet(me) {
  byId('welcome').hidden = me !== null;
  byId('composer').hidden = me === null;
}

startComposer();
onSubmit(byId('join'), byId('name'), async (name) => {
  greet(await signUp(name));
  byId('caption').focus();
  await startFeed('/photos');
});
attempt(null, async () => {
  const [me, map] = await Promise.all([remember(), loadShards()]);
  byId('shard-count').textContent = map.shards;
  greet(me);
  if (location.hash === '#name') {
    byId('name').focus();
  }
  await startFeed('/photos');
});
