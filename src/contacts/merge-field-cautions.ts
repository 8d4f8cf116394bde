import { mostSimilar } from '#core/schema/did-you-mean.ts';
import type { Work } from '#core/work.ts';
import { splitFields, unknownFieldsIn, type UnknownField } from '#lib/merge-fields.ts';
import { loadSubAccount } from '../accounts/sub-accounts/sub-account.store.ts';
import { mergeValuesOf } from './contact.store.ts';

/** The texts of an entry of the manifest. */
interface MergedTexts {
  /** What the warnings call the entry: its key. */
  readonly entry: string;
  /** The texts by their JSON pointer below the entry. */
  readonly texts: Readonly<Record<string, string | null | undefined>>;
  /** The merge fields of these texts besides those of every message. */
  readonly fields?: readonly string[];
  /** Fields whose names start with this are checked elsewhere. */
  readonly openPrefix?: string;
}

/** Returns a warning for each merge field that is empty for every contact, such as a misspelt name. */
export async function mergeFieldCautions(
  work: Work,
  { entry, texts, fields = [], openPrefix }: MergedTexts,
): Promise<readonly string[]> {
  const { customValues } = await loadSubAccount(work);
  const known = knownNames(customValues);
  const unknown = Object.entries(texts).flatMap(([path, text]) =>
    unknownFieldsIn([text ?? ''], known.values)
      .map((field) => ({ path, field, name: nameOf(field) }))
      .filter(({ name }) => !fields.includes(name))
      .filter(({ name }) => openPrefix === undefined || !name.startsWith(openPrefix)),
  );
  return firstCautions(
    entry,
    unknown.map(({ path, field, name }) => () => {
      const hint = takeHint(work) ? hintFor(name, known, fields) : '';
      return `${entry}: ${path} has ${emptyField(field, IS_NONE)}${hint}`;
    }),
  );
}

/** Warnings about merge fields of one entry: a text may have tens of thousands of unknown ones. */
const LISTED_MAX = 20;

/** Returns the first warnings about an entry, and how many there are besides. */
export function firstCautions(entry: string, cautions: readonly (() => string)[]): string[] {
  const listed = cautions.slice(0, LISTED_MAX).map((caution) => caution());
  const more = cautions.length - listed.length;
  return more === 0 ? listed : [...listed, `${entry}: ${more} more merge fields are always empty`];
}

/** Warnings of one work that name a similar field: each is compared with up to a thousand names. */
const HINTS_MAX = 50;
const hintsGiven = new WeakMap<Work, number>();

/** Counts a hint of the work. Returns false if there were enough. */
function takeHint(work: Work): boolean {
  const given = hintsGiven.get(work) ?? 0;
  hintsGiven.set(work, given + 1);
  return given < HINTS_MAX;
}

interface KnownNames {
  readonly values: Readonly<Record<string, string>>;
  readonly names: readonly string[];
  /** Names by what follows their last dot. */
  readonly lastParts: ReadonlyMap<string, string>;
}

type CustomValues = Parameters<typeof mergeValuesOf>[1];

const namesOfValues = new WeakMap<CustomValues, KnownNames>();

/** A manifest may have thousands of texts, and the sub-account thousands of custom values. */
function knownNames(customValues: CustomValues): KnownNames {
  const known = namesOfValues.get(customValues);
  if (known !== undefined) {
    return known;
  }
  const names = Object.keys(mergeValuesOf(NO_CONTACT, customValues));
  const values = Object.fromEntries(names.map((name) => [name, '']));
  const made = { values, names, lastParts: byLastPart(names) };
  namesOfValues.set(customValues, made);
  return made;
}

const IS_NONE = 'is not a merge field';

/** Returns the name in `{{name}}` or `{{name|fallback}}`. */
export const nameOf = ({ source }: Pick<UnknownField, 'source'>): string =>
  splitFields(source).fields[0]?.name ?? '';

/** Returns the field as written, why it is always empty, and what the reader sees instead. */
export const emptyField = ({ source, fallback }: UnknownField, reason: string): string => {
  const effect = fallback === '' ? 'it stays empty' : 'its fallback is always used';
  return `${source.slice(0, SHOWN_MAX)}, which ${reason}: ${effect}`;
};

const NO_CONTACT = { firstName: '', lastName: '' } as Parameters<typeof mergeValuesOf>[0];

/** The names of the merge fields of every contact. */
export const CONTACT_FIELDS: readonly string[] = Object.keys(mergeValuesOf(NO_CONTACT, {}));

/** Longer texts in braces are cut. */
const SHOWN_MAX = 60;

const CUSTOM_FIELD = /^custom_?fields?\./i;

function hintFor(
  name: string,
  { names, lastParts }: KnownNames,
  fields: readonly string[],
): string {
  if (CUSTOM_FIELD.test(name)) {
    return '; custom fields of contacts cannot be merged';
  }
  const ofFields = byLastPart(fields);
  const similarPart = mostSimilar(lastPart(name), [...ofFields.keys(), ...lastParts.keys()]) ?? '';
  const similar =
    mostSimilar(name, [...fields, ...names]) ??
    ofFields.get(similarPart) ??
    lastParts.get(similarPart);
  return similar === undefined ? '' : `; did you mean {{${similar}}}?`;
}

const byLastPart = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [lastPart(name), name]));

/** `first_name` of `contact.first_name`: other programs prefix the fields of contacts. */
const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
