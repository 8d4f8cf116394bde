import type { Answer } from '#kit/endpoint.ts';
import { notFound } from '#kit/fault.ts';
import type { Json } from '#kit/json.ts';
import { recordShape } from '#kit/record.ts';
import type { PointRead, View } from '#kit/work.ts';
import { contactShape } from './contact.shape.ts';

/** Opt-outs of the contact's addresses count as his own (contract 5). */
const DND = `c.dnd || coalesce((
  select jsonb_object_agg(o.channel, true) from opt_outs o
  where o.sub_account_id = c.sub_account_id and o.address = any(c.addresses)), '{}')`;

/** Contact `c` as every endpoint shows it. */
export const contactRecord = recordShape(contactShape, 'c', { dnd: DND });

/** The same in a list of sub-account `$1`: where it has no opt-outs, none is looked for row by row. */
export const listedContact = recordShape(contactShape, 'c', {
  dnd: `case when exists (select from opt_outs where sub_account_id = $1) then ${DND} else c.dnd end`,
});

const CONTACT: PointRead = {
  record: contactRecord,
  text: `select wanted.n, ${contactRecord.members}
    from unnest($1::uuid[], $2::uuid[]) with ordinality as wanted (sub_account_id, id, n)
    join contacts c on c.sub_account_id = wanted.sub_account_id and c.id = wanted.id
    where c.deleted_at is null`,
};

export async function readContact(view: View, id: string): Promise<Json> {
  const contact = await view.point(CONTACT, id);
  if (!contact) {
    throw notFound('contact');
  }
  return contact;
}

/** Answers a change with the contact as it is after it. */
export const theContact =
  (id: string): Answer =>
  (view) =>
    readContact(view, id);
