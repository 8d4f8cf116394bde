import type { Static } from 'typebox';
import { pageSize } from '#core/endpoint/paging.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { notFound } from '#core/fault.ts';
import type { Json } from '#core/schema/json.ts';
import { recordSchema } from '#core/schema/record.ts';
import { textOf } from '#core/schema/wire-row.ts';
import type { View } from '#core/work.ts';
import {
  queryBuilder,
  queryRows,
  queryWirePage,
  queryWireRows,
} from '#platform/database/query-builder.ts';
import { FILES_OF_SUBMISSION } from '../../files/file.schema.ts';
import type { FormTable } from '../form.entity.ts';
import type { FormSubmissionTable } from './form-submission.entity.ts';
import { submissionRecordSchema, type submissionQuery } from './submission.schema.ts';
import { isoText } from '#core/schema/columns.ts';
import type { Values } from '../read-fields.ts';
import { encodePage } from '#platform/database/pages.ts';

const submissionRecord = recordSchema(submissionRecordSchema, 's', {
  form: 'f.key',
  formName: 'f.name',
  attachments: FILES_OF_SUBMISSION,
});

/** Separates time and id in a position. */
const SEPARATOR = '|';

/**
 * Returns a page of submissions, newest first, without those of deleted contacts. They are ordered by
 * time: the id of a submission of a hosted page dates from when the page was opened.
 */
export async function findSubmissions(
  view: View,
  query: Static<typeof submissionQuery>,
  after: string | undefined,
): Promise<Reply> {
  const { formId, contactId, createdAfter } = query;
  const size = pageSize(query);
  const { sql } = await queryBuilder();
  let page = await submissionsOf(view);
  if (formId !== undefined) {
    page = page.where('s.form_id', '=', formId);
  }
  if (contactId !== undefined) {
    page = page.where('s.contact_id', '=', contactId);
  }
  if (createdAfter !== undefined) {
    page = page.where('s.created_at', '>', new Date(createdAfter));
  }
  if (after !== undefined) {
    const [at = '', id = ''] = after.split(SEPARATOR);
    page = page.where(sql<boolean>`(s.created_at, s.id) < (${at}::timestamptz, ${id}::uuid)`);
  }
  const newest = page
    .select(sql<string>`s.created_at || ${SEPARATOR} || s.id`.as('position'))
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id', 'desc')
    // One row more than the page shows whether another page follows.
    .limit(size + 1);
  const found = await queryWirePage(view, newest, size);
  const { rows, hasMore } = found;
  return {
    data: await encodePage(view, submissionRecord, found, 0),
    next: hasMore ? textOf(rows.at(-1), submissionRecord.width) : null,
  };
}

/** Returns a submission. Throws `NOT_FOUND`. */
export async function readSubmission(view: View, id: string): Promise<Json> {
  const [row] = await queryWireRows(view, (await submissionsOf(view)).where('s.id', '=', id));
  if (!row) {
    throw notFound('submission');
  }
  return submissionRecord.encode(row, 0);
}

async function submissionsOf({ subAccountId }: View) {
  const { db, sql, membersOf } = await queryBuilder<
    typeof FormSubmissionTable | typeof FormTable
  >();
  // A scalar is looked up by id for each row that is read; `not exists` became a join with all contacts.
  const isShown = sql<boolean>`(select c.deleted_at from contacts c
    where c.sub_account_id = ${subAccountId} and c.id = s.contact_id) is null`;
  return db
    .selectFrom('form_submissions as s')
    .innerJoin('forms as f', (join) =>
      join.onRef('f.sub_account_id', '=', 's.sub_account_id').onRef('f.id', '=', 's.form_id'),
    )
    .select(membersOf(submissionRecord, subAccountId))
    .where('s.sub_account_id', '=', subAccountId)
    .where(isShown);
}

interface Submission {
  readonly submissionId: string;
  readonly formId: string;
  /** The form's key. */
  readonly form: string;
  readonly contactId: string | null;
  readonly fields: Values;
  readonly pageUrl: string | null;
  readonly createdAt: string;
}

interface ListSubmissionsInput {
  /** The key of a form; removed forms included. */
  readonly form: string | undefined;
  readonly limit: number;
}

/** Returns the newest submissions of the view's sub-account, including those of removed forms. */
export async function listSubmissions(
  view: View,
  { form, limit }: ListSubmissionsInput,
): Promise<Submission[]> {
  const { db, sql } = await queryBuilder<typeof FormSubmissionTable | typeof FormTable>();
  let submissions = db
    .selectFrom('form_submissions as s')
    .innerJoin('forms as f', (join) =>
      join.onRef('f.sub_account_id', '=', 's.sub_account_id').onRef('f.id', '=', 's.form_id'),
    )
    .select(['s.id as submissionId', 's.form_id as formId', 'f.key as form'])
    .select(['s.contact_id as contactId', 's.fields', 's.page_url as pageUrl'])
    .select(sql.raw<string>(isoText('s.created_at')).as('createdAt'))
    .where('s.sub_account_id', '=', view.subAccountId);
  if (form !== undefined) {
    submissions = submissions.where('f.key', '=', form);
  }
  const newest = submissions.orderBy('s.created_at', 'desc').orderBy('s.id', 'desc').limit(limit);
  return queryRows<any>(view, newest);
}
