import { pointerToken } from '#kit/check.ts';
import type { Misfit } from '#kit/section.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$(\$*)\{env:([^}]*)\}/g;
const VARIABLE = /^[A-Za-z_]\w*$/;

/**
 * The same value with `${env:NAME}` replaced in every string, never in names of members; what comes
 * from the environment is not read again. `$${env:NAME}` stands for the text `${env:NAME}`.
 */
export function fillReferences(
  value: unknown,
  variables: Variables,
): { readonly value: unknown; readonly misfits: readonly Misfit[] } {
  const misfits: Misfit[] = [];
  const fill = (given: unknown, path: string): unknown => {
    if (typeof given === 'string') {
      const say = (message: string) => void misfits.push({ path, message });
      return fillText(given, variables, say);
    }
    if (Array.isArray(given)) {
      return given.map((item, index) => fill(item, `${path}/${index}`));
    }
    return isRecord(given)
      ? Object.fromEntries(
          Object.entries(given).map(([name, held]) => [
            name,
            fill(held, `${path}/${pointerToken(name)}`),
          ]),
        )
      : given;
  };
  return { value: fill(value, ''), misfits };
}

function fillText(text: string, variables: Variables, say: (message: string) => void): string {
  const filled = text.replaceAll(REFERENCE, (whole, escapes: string, name: string) => {
    if (escapes) {
      return whole.slice(1);
    }
    const found = VARIABLE.test(name) ? variables[name] : undefined;
    if (found === undefined) {
      say(
        VARIABLE.test(name)
          ? `needs the environment variable ${name}, which is not set`
          : `holds ${whole}, which names no environment variable; write $${whole} for the text itself`,
      );
      return whole;
    }
    return found;
  });
  if (filled.includes('\0') || !filled.isWellFormed()) {
    say('holds characters that no text may hold: NUL, or half of a pair');
  }
  return filled;
}

/** Text that reads as itself: the inverse of what `fillReferences` does to it. */
export const escapeReferences = (text: string): string =>
  text.replaceAll(REFERENCE, (whole) => `$${whole}`);

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
