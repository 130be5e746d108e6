import { element } from './dom.js';

/** The first letter of a name on a background colour that depends on the name. */
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
