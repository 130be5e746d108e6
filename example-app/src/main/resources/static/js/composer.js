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
  attempt(null, places);
}

async function places() {
  for (const place of await get('/places')) {
    const option = element('option', '', place.name);
    option.value = place.id;
    byId('place').append(option);
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
  const place = byId('place').value;
  let posted;
  if (file) {
    const form = new FormData();
    form.set('author', author);
    form.set('caption', caption);
    form.set('place', place);
    form.set('picture', await fit(file), file.name);
    posted = await post('/photos', form);
  } else {
    posted = await post('/photos', { author, caption, place: place || null });
  }
  byId('post').reset();
  preview();
  onTop(posted);
}
