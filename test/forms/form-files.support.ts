import { FILE_FIELD, CONTACT } from './forms.support.ts';
import { PNG } from '../files/files.support.ts';
import type { TestService } from '../support/service.ts';

/** The fields of a form that takes an image or a PDF. */
export const FIELDS = [...CONTACT.fields, { ...FILE_FIELD, accept: ['images', 'pdf'], maxMb: 1 }];
export const EMAIL = { email: 'ada@example.com' };
export const MIB = 1024 * 1024;

interface Sent {
  readonly field?: string;
  readonly name?: string;
  readonly bytes?: Uint8Array;
  readonly type?: string;
}

export const upload = (
  { call }: TestService,
  formId: string,
  { field = 'photo', name = 'tooth.png', bytes = PNG, type = 'image/png' }: Sent = {},
) =>
  call(`POST /api/forms/files?formId=${formId}&field=${field}&name=${encodeURIComponent(name)}`, {
    key: null,
    raw: bytes,
    headers: { 'content-type': type },
  });

/** Uploads a file, and returns what a submission sends as its value. */
export const tokenFor = async (
  service: TestService,
  formId: string,
  sent?: Sent,
): Promise<string> => (await upload(service, formId, sent)).body.data.token;

export const filesOf = ({ database, subAccountId }: TestService) =>
  database.rows<{ id: string; submissionId: string | null }>(
    `select id, submission_id as "submissionId" from files where sub_account_id = $1 order by id`,
    [subAccountId],
  );
