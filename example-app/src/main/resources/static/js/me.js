import { put } from './api.js';
import { byId, element, link } from './dom.js';
import { avatar } from './people.js';

const KEY = 'prism.me';
let me = null;

export const whoami = () => me;
export const viewer = () => (me === null ? '' : `&viewer=${me.id}`);

/** Signs in the last user of this browser; signs up again if the databases do not contain the user. */
export async function remember() {
  const name = localStorage.getItem(KEY);
  me = name === null ? null : await put('/users', { name }).catch(() => null);
  showMe();
  return me;
}

export async function signUp(name) {
  me = await put('/users', { name });
  localStorage.setItem(KEY, me.name);
  showMe();
  return me;
}

export function signOut() {
  localStorage.removeItem(KEY);
  me = null;
  showMe();
}

/** The current user, or null after a redirect to the sign-up form. */
export function meOrSignUp() {
  if (me === null) {
    const name = byId('name');
    if (name) {
      name.focus();
    } else {
      location.href = '/#name';
    }
  }
  return me;
}

function showMe() {
  if (me === null) {
    byId('me').replaceChildren(link('/#name', 'button', 'Sign up'));
    return;
  }
  const leave = element('button', 'plain', 'Sign out');
  leave.type = 'button';
  leave.addEventListener('click', () => {
    signOut();
    location.href = '/';
  });
  const mine = link(`/u/${me.id}`, 'mine', avatar(me.name), element('span', '', me.name));
  byId('me').replaceChildren(mine, leave);
}
