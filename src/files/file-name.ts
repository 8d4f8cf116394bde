import type { KnownType } from './file-type.ts';

const NAME_MAX = 120;

/**
 * Returns a name that is safe to save under: without folders, control characters, characters that
 * reverse the text, and what Windows refuses. It ends with an extension of the type.
 */
export function safeName(given: string, { extensions }: KnownType): string {
  const [extension = 'bin'] = extensions;
  const name = plainName(given);
  const own = /\.([^.]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const suffix = extensions.includes(own) ? name.slice(-own.length - 1) : `.${extension}`;
  const stem = extensions.includes(own) ? name.slice(0, -suffix.length) : name;
  return `${cut(stem, NAME_MAX - suffix.length) || 'file'}${suffix}`;
}

/** Returns the name without anything that could harm where it is shown; possibly empty. */
export function plainName(given: string): string {
  const base = given.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const name = base
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replaceAll(/\s+/g, ' ');
  return cut(withoutOuterDots(name), NAME_MAX);
}

/** Not a regular expression: its time would grow with the square of a name of dots. */
function withoutOuterDots(name: string): string {
  const isOuter = (at: number) => name[at] === '.' || name[at] === ' ';
  let [start, end] = [0, name.length];
  while (start < end && isOuter(start)) {
    start += 1;
  }
  while (end > start && isOuter(end - 1)) {
    end -= 1;
  }
  return name.slice(start, end);
}

/** By code point: a half of a pair could not be stored. */
const cut = (text: string, max: number): string =>
  text.length <= max
    ? text
    : Array.from(text).slice(0, max).join('').slice(0, max).toWellFormed().replaceAll('\ufffd', '');
