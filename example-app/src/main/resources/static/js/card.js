import { del, post } from './api.js';
import { ago, attempt, element, icon, link } from './dom.js';
import { meOrSignUp } from './me.js';
import { avatar } from './people.js';
import { shardBadge } from './shards.js';

/** A photo in a list. */
export function card(photo) {
  const caption = element('p', 'caption', photo.caption);
  caption.id = `caption-${photo.id}`;
  const made = element(
    'article',
    'photo',
    link(`/p/${photo.text}`, 'picture', image(photo, 'thumbnail', true)),
    element('div', 'about', byLine(photo), caption, ...locationName(photo), foot(photo)),
  );
  made.setAttribute('aria-labelledby', caption.id);
  made.tabIndex = 0;
  return made;
}

export function image(photo, size, lazy) {
  const img = element('img');
  img.alt = `${photo.caption}, a photo by ${photo.authorName}`;
  img.width = 640;
  img.height = 480;
  if (lazy) {
    img.loading = 'lazy';
  }
  img.decoding = 'async';
  img.src = `/photos/${photo.id}/${size}`;
  return img;
}

export function byLine(photo) {
  const author = link(`/u/${photo.author}`, 'author', avatar(photo.authorName), element('span', '', photo.authorName));
  return element('p', 'by', author, ago(photo.createdAt));
}

/** The name of the location, read with the photo by one query. */
export function locationName(photo) {
  return photo.location === null ? [] : [element('p', 'location hint', photo.location)];
}

export function foot(photo) {
  const comments = link(`/p/${photo.text}#comments`, 'count', icon('comment'), photo.comments);
  comments.ariaLabel = `${photo.comments} comments on "${photo.caption}"`;
  return element('div', 'foot', likeButton(photo), comments, shardBadge(photo.id));
}

function likeButton(photo) {
  const count = element('span', '');
  const button = element('button', 'like count', icon('heart'), count);
  button.type = 'button';
  let liked = photo.liked;
  const show = (likes) => {
    count.textContent = likes;
    button.ariaPressed = String(liked);
    button.ariaLabel = `Like "${photo.caption}", liked by ${likes}`;
  };
  show(photo.likes);
  button.addEventListener('click', () =>
    attempt(null, async () => {
      const me = meOrSignUp();
      if (me !== null) {
        const path = `/photos/${photo.id}/likes`;
        const answer = liked ? await del(`${path}/${me.id}`) : await post(path, { user: me.id });
        liked = !liked;
        show(answer.likes);
      }
    }),
  );
  return button;
}
