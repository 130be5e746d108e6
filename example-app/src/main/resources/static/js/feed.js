import { get } from './api.js';
import { attempt, byId } from './dom.js';
import { card } from './card.js';
import { viewer } from './me.js';

const PAGE = 12;
let next = null;
let loading = false;
const end = new IntersectionObserver(([seen]) => seen.isIntersecting && attempt(null, older), { rootMargin: '600px' });

/** Shows photos, and loads older ones when the user scrolls near the end. */
export async function startFeed(path) {
  next = `${path}?limit=${PAGE}`;
  byId('feed').replaceChildren();
  await older();
  byId('more').onclick = () => attempt(null, older);
}

/** Adds a new photo at the top. */
export function onTop(photo) {
  const made = card(photo);
  byId('feed').prepend(made);
  byId('feed-empty').hidden = true;
  made.focus();
}

async function older() {
  if (loading || next === null) {
    return;
  }
  loading = true;
  const feed = byId('feed');
  feed.ariaBusy = 'true';
  try {
    const page = await get(next + viewer());
    const first = feed.childElementCount === 0;
    feed.append(...page.items.map(card));
    next = page.next;
    showStatus(page, first);
    // Observe again: if the end never leaves the view, the observer is not called.
    end.unobserve(byId('more'));
    end.observe(byId('more'));
  } finally {
    loading = false;
    feed.ariaBusy = 'false';
  }
}

function showStatus(page, first) {
  byId('more').hidden = next === null;
  byId('feed-empty').hidden = byId('feed').childElementCount > 0;
  byId('feed-status').textContent = first ? '' : `${page.items.length} more photos`;
  const missing = byId('missing');
  missing.hidden = !page.missing;
  missing.textContent = page.missing
    ? `A database is down. The photos of shards ${page.missing} are not shown.`
    : '';
}
