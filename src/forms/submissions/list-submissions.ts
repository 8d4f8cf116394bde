import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import { queryBuilder, queryRows } from '#platform/database/query-builder.ts';
import type { FormSubmissionTable } from './form-submission.entity.ts';
import type { FormTable } from '../form.entity.ts';
import type { Values } from '../read-fields.ts';

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
