import { attempt } from './dom.js';
import { startInspector } from './inspector.js';
import { showPlaces } from './places.js';
import { startSharing } from './sharing.js';
import { startShell } from './shell.js';

startInspector();
startSharing();
attempt(null, () => Promise.all([showPlaces(), startShell()]));
