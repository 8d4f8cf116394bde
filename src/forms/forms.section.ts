import { newId } from '#lib/id.ts';
import { defineSection, type EntryIssue } from '#core/section.ts';
import { formEntry, type FormEntry, type FormField } from './form-entry.ts';
import { Form } from './form.entity.ts';
import { targetOf, TARGETS, HONEYPOT } from './read-fields.ts';

/** A form with its defaults filled in. */
interface WholeForm {
  readonly key: string;
  readonly name: string;
  readonly captcha: boolean;
  readonly message: string | null;
  readonly redirectUrl: string | null;
  readonly fields: readonly FormField[];
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
  load: ({ em, subAccountId }) =>
    em.find(Form, { subAccountId, deletedAt: null }, { orderBy: { id: 'asc' } }),
  valueOf: ({ key, name, captcha, message, redirectUrl, fields }: Form): WholeForm => {
    return {
      key,
      name,
      captcha,
      message: message ?? null,
      redirectUrl: redirectUrl ?? null,
      fields,
    };
  },
  idOf: ({ id }) => id,
  create({ em, subAccountId, now }, entry) {
    const times = { createdAt: now, updatedAt: now, deletedAt: null };
    const form = em.create(Form, { ...columnsOf(entry), ...times, subAccountId, id: newId(now) });
    em.persist(form);
    return form;
  },
  update({ em, now }, form, entry) {
    em.assign(form, { ...columnsOf(entry), updatedAt: now });
  },
  // Submissions of a removed form are kept.
  remove({ em, now }, form) {
    em.assign(form, { deletedAt: now, updatedAt: now });
  },
});

const columnsOf = (form: WholeForm) => ({ ...form, fields: [...form.fields] });

type FieldEntry = FormEntry['fields'][number];

/** Checks what the schema cannot express. */
function formIssues({ fields }: FormEntry): readonly EntryIssue[] {
  return fields.flatMap((field, index) => {
    const before = fields.slice(0, index);
    return issuesOf(field, before).map(({ path, message }) => ({
      path: `/fields/${index}${path}`,
      message,
    }));
  });
}

function issuesOf(field: FieldEntry, before: readonly FieldEntry[]): EntryIssue[] {
  const { name, type, options, mapsTo } = field;
  const issues: EntryIssue[] = [];
  if (name === HONEYPOT) {
    const message = `is reserved for the hidden field that catches robots; choose another name than ${HONEYPOT}`;
    issues.push({ path: '/name', message });
  }
  if (before.some((other) => other.name === name)) {
    issues.push({ path: '/name', message: 'repeats the name of another field' });
  }
  issues.push(...conditionIssues(field, before));
  if (type === 'select' && !options) {
    issues.push({ path: '/options', message: 'is required for a select' });
  }
  if (type !== 'select' && options) {
    issues.push({ path: '/options', message: 'is allowed only for a select' });
  }
  if (type !== 'file') {
    const given = (['accept', 'maxMb'] as const).filter((name) => field[name] !== undefined);
    const message = 'is allowed only for a file';
    issues.push(...given.map((name) => ({ path: `/${name}`, message })));
  }
  if (mapsTo !== undefined) {
    const message = targetIssue(type, mapsTo, before);
    issues.push(...(message ? [{ path: '/mapsTo', message }] : []));
  }
  return issues;
}

/** A condition refers to an earlier choice, so that visitors have made it when they get there. */
function conditionIssues({ showIf }: FieldEntry, before: readonly FieldEntry[]): EntryIssue[] {
  if (!showIf) {
    return [];
  }
  const choice = before.find(({ name }) => name === showIf.field);
  if (choice?.type !== 'select' && choice?.type !== 'checkbox') {
    return [
      { path: '/showIf/field', message: 'must be the name of an earlier select or checkbox' },
    ];
  }
  const values = choice.type === 'checkbox' ? ['true', 'false'] : (choice.options ?? []);
  return values.includes(showIf.equals)
    ? []
    : [{ path: '/showIf/equals', message: `must be one of ${values.join(', ')}` }];
}

function targetIssue(
  type: FieldEntry['type'],
  mapsTo: string,
  before: readonly FieldEntry[],
): string | undefined {
  const target = targetOf(mapsTo);
  if (type === 'file') {
    return 'is not allowed for a file: files belong to the submission';
  }
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
