import { pointerToken } from '#core/fault.ts';
import { isRecord } from './environment-references.ts';

/** RFC 6901: the members and indexes that a pointer names. */
export const tokensOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Returns what a pointer leads to; undefined where it leads nowhere. */
export function valueAt(value: unknown, pointer: string): unknown {
  let found = value;
  for (const token of tokensOf(pointer)) {
    found = memberOf(found, token);
  }
  return found;
}

export function memberOf(value: unknown, token: string): unknown {
  if (Array.isArray(value)) {
    return value[Number(token)] as unknown;
  }
  return isRecord(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

/**
 * Returns the value with `text` at the pointer. Missing objects on the way are added, missing items of
 * lists are not.
 */
export function withTextAt(value: unknown, pointer: string, text: string): unknown {
  return put(value, tokensOf(pointer), text);
}

function put(value: unknown, [token, ...rest]: readonly string[], text: string): unknown {
  if (token === undefined) {
    return text;
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      String(index) === token ? put(item, rest, text) : item,
    );
  }
  const members = isRecord(value) ? value : {};
  return { ...members, [token]: put(memberOf(members, token), rest, text) };
}

/** Returns every value inside that is no object or list, with its pointer. */
export function textsIn(value: unknown, pointer = ''): (readonly [string, unknown])[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => textsIn(item, `${pointer}/${index}`));
  }
  return isRecord(value)
    ? Object.entries(value).flatMap(([name, member]) =>
        textsIn(member, `${pointer}/${pointerToken(name)}`),
      )
    : [[pointer, value]];
}
