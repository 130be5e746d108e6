import { get, post } from './api.js';
import { attempt, byId, element } from './dom.js';
import { onTop } from './feed.js';
import { whoami } from './me.js';
import { fit } from './picture.js';

/** The form that posts a photo. */
export function startComposer() {
  const picture = byId('picture');
  const form = byId('post');
  picture.addEventListener('change', preview);
  for (const kind of ['dragover', 'drop']) {
    form.addEventListener(kind, (event) => event.preventDefault());
  }
  form.addEventListener('drop', (event) => {
    if (event.dataTransfer.files.length > 0) {
      picture.files = event.dataTransfer.files;
      preview();
    }
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(form, publish);
  });
  attempt(null, locations);
}

async function locations() {
  for (const location of await get('/locations')) {
    const option = element('option', '', location.name);
    option.value = location.id;
    byId('location').append(option);
  }
}

function preview() {
  const [file] = byId('picture').files;
  const shown = byId('preview');
  URL.revokeObjectURL(shown.src);
  shown.hidden = !file;
  byId('drop-words').hidden = Boolean(file);
  if (file) {
    shown.src = URL.createObjectURL(file);
    shown.alt = `Selected: ${file.name}`;
  } else {
    shown.removeAttribute('src');
  }
}

async function publish() {
  const [file] = byId('picture').files;
  const author = whoami().id;
  const caption = byId('caption').value.trim();
  const location = byId('location').value;
  let posted;
  if (file) {
    const form = new FormData();
    form.set('author', author);
    form.set('caption', caption);
    form.set('location', location);
    form.set('picture', await fit(file), file.name);
    posted = await post('/photos', form);
  } else {
    posted = await post('/photos', { author, caption, location: location || null });
  }
  byId('post').reset();
  preview();
  onTop(posted);
}
