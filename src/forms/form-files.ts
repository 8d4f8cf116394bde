import { Fault, invalid, type Issue } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { View, Work } from '#core/work.ts';
import { signToken, verifyToken } from '#lib/signed-token.ts';
import { FILES_PATH } from '../files/file.schema.ts';
import { insertFile, type StoredContent } from '../files/store-file.ts';
import { evictWaiting } from '../files/waiting-files.ts';
import { maxBytesOf } from './file-field.ts';
import type { FormField } from './form-entry.ts';
import type { Form } from './form.store.ts';
import { fieldIssue, type FieldValue, type Values } from './read-fields.ts';

const MIB_BYTES = 1024 * 1024;

/** All files of one page together: what the budget of unverified bodies leaves room for. */
const PAGE_FILES_MAX_BYTES = 50 * MIB_BYTES;

export const fileFieldsOf = ({ fields }: Pick<Form, 'fields'>): readonly FormField[] =>
  fields.filter(({ type }) => type === 'file');

/** Returns how large the page of a form may be when it is sent. */
export function pageMaxBytes(form: Form, storeMaxBytes: number): number {
  const files = fileFieldsOf(form).reduce((sum, one) => sum + maxBytesOf(one, storeMaxBytes), 0);
  return MIB_BYTES + Math.min(files, PAGE_FILES_MAX_BYTES);
}

/** Returns a field of a form that takes files. Throws VALIDATION_ERROR. */
export function fileFieldNamed(form: Form, name: string): FormField {
  const field = fileFieldsOf(form).find((one) => one.name === name);
  if (!field) {
    const message = 'is not a field of this form that takes files';
    throw invalid([{ in: 'query', path: '/field', message }]);
  }
  return field;
}

/** The field of a form that an upload is for. */
interface UploadPlace {
  readonly formId: string;
  readonly field: string;
}

/** Inserts a stored file that waits for its submission. */
export async function insertFormFile(
  work: Work,
  formId: string,
  file: StoredContent,
): Promise<void> {
  await evictWaiting(work, file.size, { formId });
  await insertFile(work, file, { formId });
}

/** Returns what a submission sends as the value of a file field. */
export const uploadToken = (
  secrets: Secrets,
  { subAccountId }: Pick<View, 'subAccountId'>,
  id: string,
  place: UploadPlace,
): string => signToken(keyOf(secrets), { subAccountId, id }, contextOf(place));

const keyOf = (secrets: Secrets) => secrets.derive('forms: uploads');

const contextOf = ({ formId, field }: UploadPlace): string => `/${formId}/${field}`;

/** Returns the id of the file that a token stands for; undefined if it is forged. */
function uploadedId(
  secrets: Secrets,
  { subAccountId }: Pick<View, 'subAccountId'>,
  token: unknown,
  place: UploadPlace,
): string | undefined {
  const subject =
    typeof token === 'string' ? verifyToken(keyOf(secrets), token, contextOf(place)) : undefined;
  return subject?.subAccountId === subAccountId ? subject.id : undefined;
}

/** A file that was uploaded for a form. */
interface WaitingFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** Returns the files that tokens stand for and no submission has, by their fields. */
export async function waitingFiles(
  view: View,
  secrets: Secrets,
  form: Form,
  tokens: Readonly<Record<string, unknown>>,
  lock: '' | 'for update' = '',
): Promise<ReadonlyMap<string, WaitingFile>> {
  const ids = fileFieldsOf(form).flatMap(({ name }) => {
    const id = uploadedId(secrets, view, tokens[name], { formId: form.id, field: name });
    return id === undefined ? [] : [[name, id] as const];
  });
  if (ids.length === 0) {
    return new Map();
  }
  const values = [view.subAccountId, form.id, ids.map(([, id]) => id)];
  const rows = await view.rows<WaitingFile>(`${WAITING} ${lock}`, values);
  return new Map(
    ids.flatMap(([name, id]) => {
      const file = rows.find((row) => row.id === id);
      return file ? [[name, file] as const] : [];
    }),
  );
}

const WAITING = `select id, name, type, size from files
  where sub_account_id = $1 and form_id = $2 and id = any($3::uuid[]) and submission_id is null
    and state = 'stored'
  order by id`;

/** Submitted values with records of files in place of their tokens. */
interface ValuesWithFiles {
  readonly values: Values;
  readonly fileIds: readonly string[];
}

/**
 * Locks the files of a submission and returns its values with their records. Throws VALIDATION_ERROR for
 * a value that stands for no waiting file.
 */
export async function resolveFiles(
  work: Work,
  secrets: Secrets,
  form: Form,
  values: Values,
): Promise<ValuesWithFiles> {
  const names = fileFieldsOf(form)
    .map(({ name }) => name)
    .filter((name) => values[name] !== undefined);
  if (names.length === 0) {
    return { values, fileIds: [] };
  }
  const files = await waitingFiles(work, secrets, form, values, 'for update');
  const issues = names
    .filter((name) => !files.has(name))
    .map((name): Issue => {
      return fieldIssue(name, GONE);
    });
  if (issues.length > 0) {
    throw invalid(issues);
  }
  const records = [...files].map(([name, file]): [string, FieldValue] => [
    name,
    { ...file, url: FILES_PATH + file.id },
  ]);
  return {
    values: { ...values, ...Object.fromEntries(records) },
    fileIds: [...files.values()].map(({ id }) => id),
  };
}

const GONE =
  'must be the token of a file that was uploaded for this field in the last 24 hours and not sent yet';

/** Gives locked files to a submission whose row is written before. */
export function attachToSubmission(
  work: Work,
  submissionId: string,
  fileIds: readonly string[],
): void {
  if (fileIds.length > 0) {
    work.write(ATTACH, [work.subAccountId, submissionId, fileIds]);
  }
}

const ATTACH = `update files set submission_id = $2 where sub_account_id = $1 and id = any($3::uuid[])`;

/** Returns the issue of a refused file. Throws errors that are not about the file. */
export function fileIssue(name: string, error: unknown): Issue {
  if (error instanceof Fault && OF_FILES.has(error.code)) {
    return fieldIssue(name, error.message);
  }
  throw error;
}

const OF_FILES: ReadonlySet<string> = new Set([
  'VALIDATION_ERROR',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
]);

/** Deletes the files of a deleted contact's submissions; the submissions stay. */
export async function deleteFilesOfContact(
  work: Work,
  { contactId }: { readonly contactId: string | null },
): Promise<void> {
  work.write(DELETE, [work.subAccountId, contactId]);
}

/** A trigger queues the removal of their contents. */
const DELETE = `delete from files f using form_submissions s
  where f.sub_account_id = $1 and s.sub_account_id = $1 and s.id = f.submission_id
    and s.contact_id = $2`;
