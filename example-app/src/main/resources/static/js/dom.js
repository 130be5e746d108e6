export const byId = (id) => document.getElementById(id);

/** Creates an element. Children are elements or text; text is never interpreted as HTML. */
export function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) {
    made.className = className;
  }
  made.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return made;
}

export function link(href, className, ...children) {
  const made = element('a', className, ...children);
  made.href = href;
  return made;
}

export function icon(name) {
  const made = element('span', `icon ${name}`);
  made.ariaHidden = 'true';
  return made;
}

/** Runs an action with the form's button disabled, and shows an error. */
export async function attempt(form, work) {
  const button = form?.querySelector('button:not([type=button])');
  trouble(null);
  if (button) {
    button.disabled = true;
  }
  try {
    await work();
  } catch (problem) {
    trouble(problem.message);
  } finally {
    if (button) {
      button.disabled = false;
    }
  }
}

/** Replaces the content of a page whose row does not exist. */
export function missing(title, problem) {
  if (problem.status !== 400 && problem.status !== 404) {
    throw problem;
  }
  document.title = title;
  byId('main').replaceChildren(element('h1', '', title), element('p', 'notice', problem.message), link('/', '', 'All photos'));
}

/** Shows an error message; null hides it. */
export function trouble(words) {
  const shown = byId('trouble');
  shown.hidden = words === null;
  shown.textContent = words ?? '';
}

/** Calls the handler with the trimmed value of a form's field when the form is submitted. */
export function onSubmit(form, field, handler) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(form, () => handler(field.value.trim()));
  });
}

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const AGO = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const UNITS = [['day', 86400], ['hour', 3600], ['minute', 60]];

export function time(instant) {
  const made = element('time', '', FULL.format(new Date(instant)));
  made.dateTime = instant;
  return made;
}

/** A relative time; the exact time is in the tooltip. */
export function ago(instant) {
  const made = time(instant);
  made.title = made.textContent;
  const seconds = (Date.now() - Date.parse(instant)) / 1000;
  const unit = UNITS.find(([, size]) => seconds >= size);
  made.textContent = unit ? AGO.format(-Math.floor(seconds / unit[1]), unit[0]) : 'just now';
  return made;
}
