import type { Contact } from '../../contacts/contact.entity.ts';
import type { Condition, Where } from './workflow.schema.ts';

/** Whether data has every value that is asked for; of several for one name, one of them. */
export const fits = (wanted: Where | undefined, data: object): boolean =>
  Object.entries(wanted ?? {}).every(([path, values]) => {
    const found = valueAt(data, path);
    return [values].flat().some((value) => isAlike(found, value));
  });

/** Whether a condition holds for a contact and what began the run. */
export function isTrue(
  { field, ...asked }: Condition,
  contact: object | undefined,
  data: object,
): boolean {
  const found = valueOf(field, contact, data);
  if (asked.exists !== undefined) {
    return asked.exists === !isEmpty(found);
  }
  if (asked.contains !== undefined) {
    const wanted = folded(asked.contains);
    return Array.isArray(found)
      ? found.some((one) => folded(one) === wanted)
      : folded(found ?? '').includes(wanted);
  }
  if (asked.in !== undefined) {
    return asked.in.some((value) => isAlike(found, value));
  }
  return asked.not === undefined ? isAlike(found, asked.equals ?? '') : !isAlike(found, asked.not);
}

const DATA = 'data.';

const valueOf = (field: string, contact: object | undefined, data: object): unknown => {
  if (field.startsWith(DATA)) {
    return valueAt(data, field.slice(DATA.length));
  }
  if (field === 'fullName' && contact) {
    const { firstName, lastName } = contact as Contact;
    return `${firstName} ${lastName}`.trim();
  }
  return valueAt(contact ?? {}, field);
};

/** A member, or of a member's member: `fields.email`. A name that holds dots is looked for first. */
function valueAt(within: unknown, path: string): unknown {
  if (typeof within !== 'object' || within === null) {
    return undefined;
  }
  if (Object.hasOwn(within, path)) {
    return (within as Record<string, unknown>)[path];
  }
  const [first = '', ...rest] = path.split('.');
  return rest.length > 0 && Object.hasOwn(within, first)
    ? valueAt((within as Record<string, unknown>)[first], rest.join('.'))
    : undefined;
}

/** A list is like each of its members. Nothing is like the empty text. */
function isAlike(found: unknown, wanted: string | number | boolean): boolean {
  if (Array.isArray(found)) {
    return found.some((one) => folded(one) === folded(wanted));
  }
  return folded(found ?? '') === folded(wanted);
}

/** As tags and emails are compared: without case, and `5` is `"5"`. */
const folded = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).trim().toLowerCase();

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);
