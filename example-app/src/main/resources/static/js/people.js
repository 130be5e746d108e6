import { element } from './dom.js';

/** A name's first letter on a colour that is always the same for that name. */
export function avatar(name, into = element('span', 'avatar')) {
  let hash = 7;
  for (const letter of name) {
    hash = (hash * 31 + letter.codePointAt(0)) % 360;
  }
  into.style.setProperty('--hue', hash);
  into.textContent = [...name][0]?.toUpperCase() ?? '?';
  into.ariaHidden = 'true';
  return into;
}
