import { get } from '../api.js';
import { byId } from '../dom.js';

/** Shows the commands of the log, with the address of this page. */
export async function startShell() {
  const lines = await get('/curl-lines');
  byId('lines').firstElementChild.textContent = lines;
  byId('copy').addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(lines);
      byId('copied').textContent = 'Copied.';
    } catch {
      getSelection().selectAllChildren(byId('lines'));
      byId('copied').textContent = 'Selected. Copy with the keyboard.';
    }
  });
}
