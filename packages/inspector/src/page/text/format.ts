const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A span of time in its two largest units at most, such as `3 h 5 min`. */
export function span(ms: number): string {
  const whole = Math.max(0, ms);
  if (whole < second) return `${Math.round(whole)} ms`;
  if (whole < 10 * second) return `${(whole / second).toFixed(1)} s`;
  if (whole < minute) return `${Math.round(whole / second)} s`;
  if (whole < hour) return `${Math.floor(whole / minute)} min`;
  if (whole < day) {
    const minutes = Math.floor((whole % hour) / minute);
    return minutes === 0 ? `${Math.floor(whole / hour)} h` : `${Math.floor(whole / hour)} h ${minutes} min`;
  }
  return `${Math.floor(whole / day)} d`;
}

/** A time seen from now: `5 s ago`, `in 3 min`, `now`. */
export function relative(at: number, now: number): string {
  const distance = at - now;
  if (Math.abs(distance) < second) return "now";
  const whole = Math.abs(distance) < minute ? Math.round(Math.abs(distance) / second) * second : Math.abs(distance);
  const shown = whole < minute ? `${whole / second} s` : span(whole);
  return distance < 0 ? `${shown} ago` : `in ${shown}`;
}

/** Local date and time with milliseconds, for one reading. */
export function exactTime(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  const days = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${days} ${clock}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** Only the clock, for lists of one day. */
export const clockTime = (at: number): string => exactTime(at).slice(11);

/** A size such as `1.5 kB`. */
export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const whole = new Intl.NumberFormat("en");

/** A number with separators. */
export const count = (value: number): string => whole.format(value);

/** `1 source`, `2 sources`. */
export const plural = (value: number, noun: string, nouns: string = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : nouns}`;
