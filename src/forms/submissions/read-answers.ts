import { notFound } from '#core/fault.ts';
import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import type { FormField } from '../form-entry.ts';
import type { FieldValue, Values } from '../read-fields.ts';

/** A value of a submission under the label of its field. Of `value` and `file`, one is null. */
interface Answer {
  readonly name: string;
  readonly label: string;
  readonly value: string | number | boolean | null;
  readonly file: FileRecord | null;
}

interface FileRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** A submission as people read it. */
interface ReadableSubmission {
  readonly id: string;
  /** The form's name. */
  readonly form: string;
  readonly pageUrl: string | null;
  readonly createdAt: string;
  readonly answers: readonly Answer[];
}

interface SubmissionRow extends Omit<ReadableSubmission, 'answers'> {
  readonly values: Values;
  readonly fields: readonly FormField[];
}

/** Returns a submission of a contact. Throws `NOT_FOUND`. */
export async function readAnswers(
  view: View,
  contactId: string,
  id: string,
): Promise<ReadableSubmission> {
  const [found] = await view.rows<SubmissionRow>(READ, [view.subAccountId, contactId, id]);
  if (!found) {
    throw notFound('submission');
  }
  const { values, fields, ...submission } = found;
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  // The form may have changed since: what it does not ask any more is named by its key.
  const names = new Set([...labels.keys(), ...Object.keys(values)]);
  const answers = [...names].flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [answerOf(name, labels.get(name) ?? name, value)];
  });
  return { ...submission, answers };
}

function answerOf(name: string, label: string, given: FieldValue): Answer {
  if (typeof given === 'object') {
    const { id, name: fileName, type, size } = given;
    return { name, label, value: null, file: { id, name: fileName, type, size } };
  }
  return { name, label, value: given, file: null };
}

const READ = `select s.id, f.name as form, s.page_url as "pageUrl",
    ${isoText('s.created_at')} as "createdAt", s.fields as values, f.fields
  from form_submissions s
  join forms f on f.sub_account_id = s.sub_account_id and f.id = s.form_id
  where s.sub_account_id = $1 and s.contact_id = $2 and s.id = $3`;
