import type { Contact } from '../../contacts/contact.entity.ts';
import { GOAL, type Condition, type GoalOutcome, type Where } from './workflow.schema.ts';

/** Returns whether the data has every required value. A list of values means any of them. */
export const fits = (required: Where | undefined, data: object): boolean =>
  Object.entries(required ?? {}).every(([path, values]) => {
    const found = valueAt(data, path);
    return [values].flat().some((value) => isEqual(found, value));
  });

/** What a condition is tested on. */
export interface Facts {
  readonly contact: object | undefined;
  /** The data of the run's trigger. */
  readonly data: object;
  /** The outcome of the run's last goal; undefined before the first one. */
  readonly goal?: GoalOutcome | undefined;
}

/** Returns whether a condition is true of the contact, the run's data and its last goal. */
export function isTrue({ field, ...operators }: Condition, facts: Facts): boolean {
  const found = valueOf(field, facts);
  if (operators.exists !== undefined) {
    return operators.exists === !isEmpty(found);
  }
  if (operators.contains !== undefined) {
    const part = folded(operators.contains);
    return Array.isArray(found)
      ? found.some((one) => folded(one) === part)
      : folded(found ?? '').includes(part);
  }
  if (operators.in !== undefined) {
    return operators.in.some((value) => isEqual(found, value));
  }
  return operators.not === undefined
    ? isEqual(found, operators.equals ?? '')
    : !isEqual(found, operators.not);
}

const DATA = 'data.';

/** Returns the value that a condition tests; undefined if there is none. */
export const valueOf = (field: string, { contact, data, goal }: Facts): unknown => {
  if (field === GOAL) {
    return goal;
  }
  if (field.startsWith(DATA)) {
    return valueAt(data, field.slice(DATA.length));
  }
  if (field === 'fullName' && contact) {
    const { firstName, lastName } = contact as Contact;
    return `${firstName} ${lastName}`.trim();
  }
  return valueAt(contact ?? {}, field);
};

/** Returns the value at a path such as `fields.email`. A field whose own name has dots wins. */
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

/** A list equals each of its members; a missing value equals the empty text. */
function isEqual(found: unknown, value: string | number | boolean): boolean {
  if (Array.isArray(found)) {
    return found.some((one) => folded(one) === folded(value));
  }
  return folded(found ?? '') === folded(value);
}

/** Comparison ignores case, like tags and emails; `5` equals `"5"`. */
const folded = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).trim().toLowerCase();

/** Returns whether a value is missing, or an empty text or list. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);
