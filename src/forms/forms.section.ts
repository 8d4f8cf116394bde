import { newId } from '#lib/id.ts';
import { defineSection, type Issue } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import { formEntry, type FormEntry, type FormField } from './form-entry.ts';
import { targetOf, TARGETS } from './mapped-contact.ts';
import { HONEYPOT } from './read-fields.ts';

/** A form with its defaults filled in. */
interface WholeForm {
  readonly key: string;
  readonly name: string;
  readonly captcha: boolean;
  readonly message: string | null;
  readonly redirectUrl: string | null;
  readonly fields: readonly FormField[];
}

interface Row extends WholeForm {
  readonly id: string;
}

export const formsSection = defineSection({
  name: 'forms',
  summary:
    'Public forms: their fields, and the fields of the contact that the values are written to.',
  match: 'key',
  schema: formEntry,
  check: formIssues,
  references: ({ fields }: FormEntry) =>
    fields.flatMap(({ mapsTo }, index) => {
      const target = mapsTo === undefined ? undefined : targetOf(mapsTo);
      return target?.kind === 'custom'
        ? [{ section: 'customFields', key: target.name, path: `/fields/${index}/mapsTo` }]
        : [];
    }),
  complete: ({ fields, ...entry }: FormEntry): WholeForm => ({
    captcha: false,
    message: null,
    redirectUrl: null,
    ...entry,
    fields: fields.map((field) => ({ required: false, options: null, mapsTo: null, ...field })),
  }),
  load: (work) => work.rows<Row>(STORED, [work.subAccountId]),
  valueOf: ({ id: _id, ...form }: Row): WholeForm => form,
  idOf: ({ id }) => id,
  create(work, wanted): Row {
    const row = { ...wanted, id: newId(work.now) };
    work.write(INSERT, valuesOf(work, row));
    return row;
  },
  update: (work, { id }, wanted) => work.write(UPDATE, valuesOf(work, { ...wanted, id })),
  // Submissions of a removed form are kept.
  remove: (work, { id }) => work.write(REMOVE, [work.subAccountId, id, work.now]),
});

const valuesOf = (
  { subAccountId, now }: Work,
  { id, key, name, captcha, message, redirectUrl, fields }: Row,
) => [subAccountId, id, now, key, name, captcha, message, redirectUrl, JSON.stringify(fields)];

const STORED = `select id, key, name, captcha, message, redirect_url as "redirectUrl", fields
  from forms where sub_account_id = $1 and deleted_at is null order by id`;

const INSERT = `insert into forms (sub_account_id, id, created_at, updated_at, key, name, captcha,
    message, redirect_url, fields)
  values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9)`;

const UPDATE = `update forms set updated_at = $3, key = $4, name = $5, captcha = $6, message = $7,
    redirect_url = $8, fields = $9
  where sub_account_id = $1 and id = $2`;

const REMOVE = `update forms set deleted_at = $3, updated_at = $3
  where sub_account_id = $1 and id = $2`;

type FieldEntry = FormEntry['fields'][number];

/** Checks what the schema cannot express. */
function formIssues({ fields }: FormEntry): readonly Issue[] {
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
    const message = `is reserved for the hidden field that catches robots; choose another name than ${HONEYPOT}`;
    issues.push({ path: '/name', message });
  }
  if (before.some((other) => other.name === name)) {
    issues.push({ path: '/name', message: 'repeats the name of another field' });
  }
  if (type === 'select' && !options) {
    issues.push({ path: '/options', message: 'is required for a select' });
  }
  if (type !== 'select' && options) {
    issues.push({ path: '/options', message: 'is allowed only for a select' });
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
    return 'is already used by another field';
  }
  if (target.kind !== 'custom' && (type === 'checkbox') !== (target.kind === 'dnd')) {
    return target.kind === 'dnd'
      ? 'must belong to a checkbox'
      : 'must not belong to a checkbox; a checkbox maps to customFields.NAME or dnd';
  }
  return undefined;
}
