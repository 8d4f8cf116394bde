import type { Document } from '#core/endpoint/reply.ts';
import { mergedHtml } from '#lib/merge-fields.ts';
import type { View } from '#core/work.ts';
import { customValuesOf } from '../../accounts/sub-accounts/sub-account.store.ts';
import { orNotFound } from '#core/fault.ts';
import { mergeValuesOf } from '../../contacts/contact.store.ts';
import { htmlOf, UNSUBSCRIBE_EXAMPLE, UNSUBSCRIBE_FIELD, type Wording } from './compile-mail.ts';

/** A mail may load images and styles; scripts and forms are blocked. */
const POLICY = [
  "default-src 'none'",
  'img-src https: http: data:',
  "style-src 'unsafe-inline' https:",
  'font-src https: data:',
  "base-uri 'none'",
  "form-action 'none'",
  'sandbox',
].join('; ');

/** The contact whose values a preview shows. */
export const EXAMPLE_CONTACT = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: null,
  company: null,
};

/** Returns a campaign's mail as a web page. */
export async function showPreview(view: View, id: string): Promise<Document> {
  const html = htmlOf(await readWording(view, id));
  const values = {
    ...mergeValuesOf(EXAMPLE_CONTACT, await customValuesOf(view)),
    [UNSUBSCRIBE_FIELD]: UNSUBSCRIBE_EXAMPLE,
  };
  return mailPage(mergedHtml(html, values));
}

/** Returns the HTML of a mail as a web page. */
export const mailPage = (html: string): Document => ({
  type: 'text/html; charset=utf-8',
  body: html,
  headers: {
    'content-security-policy': POLICY,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  },
});

/** Returns the texts of a campaign. Throws NOT_FOUND. */
export async function readWording(view: View, id: string): Promise<Wording> {
  const [wording] = await view.rows<Wording>(WORDING, [view.subAccountId, id]);
  return orNotFound(wording, 'campaign');
}

const WORDING = `select c.subject, c.preheader, c.content_html as "contentHtml",
    c.layout_html as "layoutHtml"
  from campaigns c join sub_accounts a on a.id = c.sub_account_id and a.deleted_at is null
  where c.sub_account_id = $1 and c.id = $2`;
