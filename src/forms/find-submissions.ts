import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import type { Values } from './read-fields.ts';

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

interface FindSubmissionsInput {
  /** The key of a form, also of removed ones. */
  readonly form: string | undefined;
  readonly limit: number;
}

/** Returns the newest submissions, including those of removed forms. */
export const findSubmissions = (
  view: View,
  { form, limit }: FindSubmissionsInput,
): Promise<Submission[]> => view.rows(FIND, [view.subAccountId, form ?? null, limit]);

const FIND = `select s.id as "submissionId", s.form_id as "formId", f.key as form,
    s.contact_id as "contactId", s.fields, s.page_url as "pageUrl",
    ${isoText('s.created_at')} as "createdAt"
  from form_submissions s
  join forms f on f.sub_account_id = s.sub_account_id and f.id = s.form_id
  where s.sub_account_id = $1 and ($2::text is null or f.key = $2)
  order by s.created_at desc, s.id desc limit $3`;
