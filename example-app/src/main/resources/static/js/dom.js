export const byId = (id) => document.getElementById(id);

/** Makes an element. Children are elements or text; text is never read as HTML. */
export function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) {
    made.className = className;
  }
  made.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return made;
}

/** Runs work with the form's button switched off, and shows what goes wrong. */
export async function attempt(form, work) {
  const button = form?.querySelector('button');
  const trouble = byId('trouble');
  trouble.hidden = true;
  if (button) {
    button.disabled = true;
  }
  try {
    await work();
  } catch (problem) {
    trouble.textContent = problem.message;
    trouble.hidden = false;
  } finally {
    if (button) {
      button.disabled = false;
    }
  }
}

/** Calls back with the trimmed value of a form's field when the form is sent. */
export function onSubmit(form, field, handler) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(form, () => handler(field.value.trim()));
  });
}

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function time(instant) {
  const made = element('time', '', TIME.format(new Date(instant)));
  made.dateTime = instant;
  return made;
}
