import type { Issue } from '#core/section.ts';
import type { FormEntry } from './form-entry.ts';
import { HONEYPOT } from './challenge/honeypot.ts';
import { targetOf, TARGETS } from './mapped-target.ts';

type FieldEntry = FormEntry['fields'][number];

/** What the schema cannot say of a form. */
export function formIssues({ fields }: FormEntry): readonly Issue[] {
  return fields.flatMap((field, index) => {
    const before = fields.slice(0, index);
    return issuesOf(field, before).map(({ path, message }) => ({
      path: `/fields/${index}${path}`,
      message,
    }));
  });
}

function issuesOf(field: FieldEntry, before: readonly FieldEntry[]): Issue[] {
  const { name, type, options, mapsTo } = field;
  const issues: Issue[] = [];
  if (name === HONEYPOT) {
    const message = 'is the name of the field that only robots fill in; call it otherwise';
    issues.push({ path: '/name', message });
  }
  if (before.some((other) => other.name === name)) {
    issues.push({ path: '/name', message: 'is the name of another field' });
  }
  if (type === 'select' && !options) {
    issues.push({ path: '/options', message: 'is required for a select' });
  }
  if (type !== 'select' && options) {
    issues.push({ path: '/options', message: 'is for a select only' });
  }
  if (mapsTo !== undefined) {
    const message = targetIssue(type, mapsTo, before);
    issues.push(...(message ? [{ path: '/mapsTo', message }] : []));
  }
  return issues;
}

function targetIssue(
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
