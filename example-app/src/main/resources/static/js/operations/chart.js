const WIDTH = 600;
const HEIGHT = 120;
const NS = 'http://www.w3.org/2000/svg';

function shape(name, attributes) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  return made;
}

/** Draws a bar for each second, with the failures in another colour. */
export function drawBars(svg, values, failures, words) {
  const top = niceTop(Math.max(1, ...values.map((value, i) => value + failures[i])));
  const width = WIDTH / values.length;
  const height = (value) => Math.max(value > 0 ? 1.5 : 0, (value / top) * HEIGHT);
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  const bars = values.flatMap((value, i) => {
    const bar = (cls, from, size) => shape('rect', { class: cls, x: i * width, width: width * 0.8, y: HEIGHT - from - size, height: size });
    return [bar('bar', 0, height(value)), bar('bar failed', height(value), height(failures[i]))];
  });
  svg.replaceChildren(shape('line', { class: 'rule', x1: 0, x2: WIDTH, y1: 0.5, y2: 0.5 }), ...bars);
  svg.ariaLabel = words;
  svg.parentElement.dataset.top = top;
}

/** 1, 2 or 5 times a power of ten. */
function niceTop(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((top) => top >= value);
}
