import type { Misfit } from '#kit/section.ts';
import type { FormEntry } from './form-entry.ts';
import { HONEYPOT } from './honeypot.ts';
import { targetOf, TARGETS } from './mapped-target.ts';

type FieldEntry = FormEntry['fields'][number];

/** What the schema cannot say of a form. */
export function formMisfits({ fields }: FormEntry): readonly Misfit[] {
  return fields.flatMap((field, index) => {
    const before = fields.slice(0, index);
    return misfitsOf(field, before).map(({ path, message }) => ({
      path: `/fields/${index}${path}`,
      message,
    }));
  });
}

function misfitsOf(field: FieldEntry, before: readonly FieldEntry[]): Misfit[] {
  const { name, type, options, mapsTo } = field;
  const misfits: Misfit[] = [];
  if (name === HONEYPOT) {
    const message = 'is the name of the field that only robots fill in; call it otherwise';
    misfits.push({ path: '/name', message });
  }
  if (before.some((other) => other.name === name)) {
    misfits.push({ path: '/name', message: 'is the name of another field' });
  }
  if (type === 'select' && !options) {
    misfits.push({ path: '/options', message: 'is required for a select' });
  }
  if (type !== 'select' && options) {
    misfits.push({ path: '/options', message: 'is for a select only' });
  }
  if (mapsTo !== undefined) {
    const message = targetMisfit(type, mapsTo, before);
    misfits.push(...(message ? [{ path: '/mapsTo', message }] : []));
  }
  return misfits;
}

function targetMisfit(
  type: FieldEntry['type'],
  mapsTo: string,
  before: readonly FieldEntry[],
): string | undefined {
  const target = targetOf(mapsTo);
  if (!target) {
    return `must be one of ${TARGETS}`;
  }
  if (target.kind !== 'list' && before.some((other) => other.mapsTo === mapsTo)) {
    return 'takes the value of another field already';
  }
  if (target.kind !== 'custom' && (type === 'checkbox') !== (target.kind === 'dnd')) {
    return target.kind === 'dnd'
      ? 'takes a checkbox only'
      : 'takes no checkbox; customFields.NAME and dnd do';
  }
  return undefined;
}
