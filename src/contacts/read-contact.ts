import { answerOf, readerOf } from '#platform/database/live-records.ts';
import { recordSchema } from '#core/schema/record.ts';
import { contactSchema } from './contact.schema.ts';

/** Opt-outs of the contact's addresses count as his own (contract 5). */
const DND = `c.dnd || coalesce((
  select jsonb_object_agg(o.channel, true) from opt_outs o
  where o.sub_account_id = c.sub_account_id and o.address = any(c.addresses)), '{}')`;

/** Contact `c` as every endpoint shows it. */
export const contactRecord = recordSchema(contactSchema, 'c', { dnd: DND });

/** The same in a list of sub-account `$1`: where it has no opt-outs, none is looked for row by row. */
const listedContact = recordSchema(contactSchema, 'c', {
  dnd: `case when exists (select from opt_outs where sub_account_id = $1) then ${DND} else c.dnd end`,
});

const contacts = { table: 'contacts', alias: 'c' } as const;

/** What a list shows of them. */
export const liveContacts = { ...contacts, record: listedContact };

export const readContact = readerOf('contact', { ...contacts, record: contactRecord });
export const theContact = answerOf(readContact);
