import { get, post } from '../api.js';
import { attempt, byId, element } from '../dom.js';

const STEPS = ['PREPARE', 'PUBLISH', 'COPY', 'CATCH_UP', 'FENCE', 'CARRY_OVER', 'SWITCH', 'CLEAN_UP', 'DONE'];
const COPY = STEPS.indexOf('COPY');

/** How much of a move is done, from 0 to 1. The copy takes the longest. */
export function fraction(progress) {
  const at = STEPS.indexOf(progress?.step);
  if (at < COPY) {
    return 0;
  }
  const copied = progress.bytesTotal > 0 ? Math.max(0, Math.min(1, progress.bytesCopied / progress.bytesTotal)) : 0;
  return at === COPY ? 0.8 * copied : 0.8 + (0.2 * (at - COPY)) / (STEPS.length - 1 - COPY);
}

/** Plans and begins the moves that empty a database. */
export async function drain(database) {
  await attempt(null, async () => {
    await post('/actuator/shards', { action: 'drain', of: database });
    await pollPlans();
  });
}

/** Shows the plan that is running, or the newest one. */
export async function pollPlans() {
  const { plans } = await get('/actuator/shards');
  byId('plans').hidden = plans.length === 0;
  if (plans.length > 0) {
    drawPlan(plans.find((plan) => plan.state === 'RUNNING') ?? plans[0]);
  }
}

function drawPlan(plan) {
  const running = plan.state === 'RUNNING';
  const bar = byId('plan-progress');
  bar.value = plan.done / plan.total;
  const what = { RUNNING: 'is running', DONE: 'is done', STOPPED: 'was stopped', FAILED: 'has failed' }[plan.state];
  byId('plan-words').textContent = `Plan ${plan.id} ${what}: ${plan.done} of ${plan.total} shards have left ${plan.goal.subject}${plan.failure ? `. ${plan.failure}` : ''}`;
  const stop = byId('plan-stop');
  stop.hidden = !running;
  stop.onclick = () => attempt(null, async () => {
    await post('/actuator/shards', { action: 'stop', of: plan.id });
    await pollPlans();
  });
}

/** The button of a database that drains it. */
export function drainButton(database) {
  const button = element('button', 'quiet small', 'Drain');
  button.type = 'button';
  button.ariaLabel = `Move all shards of ${database} to the other databases`;
  button.addEventListener('click', () => {
    if (confirm(`Move all shards of ${database} to the other databases?`)) {
      drain(database);
    }
  });
  return button;
}
