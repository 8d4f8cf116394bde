import { notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import type { Wording } from './compile-mail.ts';

/** What a campaign says; throws NOT_FOUND. */
export async function readWording(view: View, id: string): Promise<Wording> {
  const [wording] = await view.rows<Wording>(WORDING, [view.subAccountId, id]);
  if (!wording) {
    throw notFound('campaign');
  }
  return wording;
}

const WORDING = `select c.subject, c.preheader, c.content_html as "contentHtml",
    c.layout_html as "layoutHtml"
  from campaigns c join sub_accounts a on a.id = c.sub_account_id and a.deleted_at is null
  where c.sub_account_id = $1 and c.id = $2`;
