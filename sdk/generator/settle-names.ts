import type { Named, Names } from './names.ts';
import type { Unit } from './unit.ts';

/** The file for shared declarations. */
const SHARED = 'shared';

/**
 * Assigns every name to the only file that uses it, otherwise to the shared file, and adds the
 * imports.
 */
export function settleNames(units: readonly Unit[], { named }: Names): Unit[] {
  const users = new Map(named.map((one) => [one, usersOf(one, units, named)] as const));
  const homeOf = (one: Named): string => {
    const [first = SHARED, ...others] = users.get(one) ?? [];
    return others.length === 0 ? first : SHARED;
  };
  return [...units, { file: SHARED, imports: [], text: '' }].map((unit) => {
    const own = named.filter((one) => one.text !== undefined && homeOf(one) === unit.file);
    const text = [...own.map((one) => `export ${one.text}`), unit.text].join('\n\n');
    const foreign = named.filter(
      (one) => !own.includes(one) && one.file !== `./${unit.file}.ts` && isUsedIn(text, one),
    );
    const imports = [...Map.groupBy(foreign, (one) => one.file ?? `./${homeOf(one)}.ts`)];
    const namesOf = (some: readonly Named[]) => some.map(({ name }) => name).toSorted();
    return {
      ...unit,
      text,
      imports: [
        ...unit.imports,
        ...imports.map(
          ([file, some]) => `import type { ${namesOf(some).join(', ')} } from '${file}';`,
        ),
      ],
    };
  });
}

/** The files that need it, directly or through other names. */
function usersOf(one: Named, units: readonly Unit[], named: readonly Named[]): Set<string> {
  const direct = units.filter(({ text }) => isUsedIn(text, one)).map(({ file }) => file);
  const within = named.filter((other) => other !== one && isUsedIn(other.text ?? '', one));
  return new Set([...direct, ...within.flatMap((other) => [...usersOf(other, units, named)])]);
}

const isUsedIn = (text: string, { name }: Named): boolean =>
  new RegExp(`\\b${name}\\b`).test(text.replaceAll(/\/\*\*[\s\S]*?\*\/|'[^'\n]*'/g, ''));
