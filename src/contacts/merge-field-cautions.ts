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
  const known = [...Object.keys(mergeValuesOf(NO_CONTACT, customValues)), ...fields];
  const values = Object.fromEntries(known.map((name) => [name, '']));
  return Object.entries(texts).flatMap(([path, text]) =>
    unknownFieldsIn([text ?? ''], values).flatMap((field) => {
      const name = nameOf(field);
      return openPrefix !== undefined && name.startsWith(openPrefix)
        ? []
        : [`${entry}: ${path} has ${emptyField(field, IS_NONE)}${hintFor(name, known)}`];
    }),
  );
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

function hintFor(name: string, known: readonly string[]): string {
  if (CUSTOM_FIELD.test(name)) {
    return '; custom fields of contacts cannot be merged';
  }
  const lastParts = new Map(known.map((one) => [lastPart(one), one]));
  const similar =
    mostSimilar(name, known) ?? lastParts.get(mostSimilar(lastPart(name), lastParts.keys()) ?? '');
  return similar === undefined ? '' : `; did you mean {{${similar}}}?`;
}

/** `first_name` of `contact.first_name`: other programs prefix the fields of contacts. */
const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
