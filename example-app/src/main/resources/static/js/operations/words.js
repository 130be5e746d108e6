const NUMBER = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const FRACTION = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

export const number = (value) => NUMBER.format(value);
export const rate = (value) => (value >= 10 ? NUMBER : FRACTION).format(value);
export const millis = (value) => `${(value >= 10 ? NUMBER : FRACTION).format(value)} ms`;

export function bytes(value) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let size = value;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${size < 10 && unit > 0 ? FRACTION.format(size) : NUMBER.format(size)} ${units[unit]}`;
}

/** Converts a duration in ISO 8601 format, such as PT0.012S, to milliseconds. */
export function millisOf(duration) {
  if (typeof duration === 'number') {
    return duration * 1000;
  }
  const [, minutes = 0, seconds = 0] = /^PT(?:([\d.]+)M)?(?:([\d.]+)S)?$/.exec(duration) ?? [];
  return (Number(minutes) * 60 + Number(seconds)) * 1000;
}
