import { mergedHtml, mergedSubject, mergedText } from '#lib/merge-fields.ts';
import type { View } from '#core/work.ts';
import { customValuesOf } from '../../accounts/sub-accounts/sub-account.store.ts';
import { mergeValuesOf } from '../../contacts/contact.store.ts';
import { matching, type ListFilter } from '../lists/list-filter.ts';
import { htmlOf, textOf } from './compile-mail.ts';
import { EXAMPLE_CONTACT, readWording } from './show-preview.ts';

/** A mail as one recipient gets it. */
export interface PreviewedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/**
 * Returns a campaign's mail, merged for a contact of its audience; for an example contact if the
 * audience is empty. Throws NOT_FOUND.
 */
export async function previewForAudience(view: View, id: string): Promise<PreviewedMail> {
  const wording = await readWording(view, id);
  const contact = (await contactOfAudience(view, id)) ?? EXAMPLE_CONTACT;
  const values = mergeValuesOf(contact, await customValuesOf(view));
  const html = htmlOf(wording);
  return {
    subject: mergedSubject(wording.subject, values),
    html: mergedHtml(html, values),
    text: mergedText(textOf(wording), values),
  };
}

type Mergeable = typeof EXAMPLE_CONTACT;

async function contactOfAudience(view: View, id: string): Promise<Mergeable | undefined> {
  const [recipient] = await view.rows<Mergeable>(RECIPIENT, [view.subAccountId, id]);
  if (recipient) {
    return recipient;
  }
  const [list] = await view.rows<AudienceList>(LIST, [view.subAccountId, id]);
  if (!list) {
    return undefined;
  }
  const values: unknown[] = [view.subAccountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const belongs = list.filter ? matching(list.filter, bind) : [isMember(bind(list.id))];
  const [member] = await view.rows<Mergeable>(
    `${CONTACT} from contacts c where ${[...LIVE, ...belongs].join(' and ')} order by c.id limit 1`,
    values,
  );
  return member;
}

interface AudienceList {
  readonly id: string;
  readonly filter: ListFilter | null;
}

const LIVE = ['c.sub_account_id = $1', 'c.deleted_at is null', 'c.email is not null'];

const isMember = (listId: string): string => `exists (select from list_members m
    where m.sub_account_id = $1 and m.list_id = ${listId} and m.contact_id = c.id)`;

const CONTACT = `select c.first_name as "firstName", c.last_name as "lastName", c.email, c.phone,
    c.company`;

const RECIPIENT = `${CONTACT} from campaign_recipients r
  join contacts c on c.sub_account_id = r.sub_account_id and c.id = r.contact_id
  where r.sub_account_id = $1 and r.campaign_id = $2 and c.deleted_at is null
  order by r.id limit 1`;

const LIST = `select l.id, l.filter from campaigns c
  join lists l on l.sub_account_id = c.sub_account_id and l.id = c.list_id
  where c.sub_account_id = $1 and c.id = $2`;
