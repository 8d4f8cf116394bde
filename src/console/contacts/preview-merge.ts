import { Type } from 'typebox';
import { json, jsonText, type Json } from '#core/schema/json.ts';
import * as s from '#core/schema/schema.ts';
import type { View, Work } from '#core/work.ts';
import { contactSchema } from '../../contacts/contact.schema.ts';
import { readContact } from '../../contacts/contact.store.ts';
import { mergeContacts } from '../../contacts/merge/merge-contacts.ts';

const count = Type.Integer({ minimum: 0 });

export const mergePreviewSchema = s.response({
  result: contactSchema,
  kept: contactSchema,
  other: contactSchema,
  moved: s.response({
    conversations: count,
    appointments: count,
    opportunities: count,
    tasks: count,
  }),
});

interface MovedRow {
  readonly conversations: number;
  readonly appointments: number;
  readonly opportunities: number;
  readonly tasks: number;
}

/**
 * Merges two contacts, for a dry run. Returns the reader of the outcome: both contacts as they were, the
 * kept one as it becomes, and how many records move to it.
 */
export async function previewMerge(
  work: Work,
  keptId: string,
  otherId: string,
): Promise<(after: View) => Promise<Json>> {
  const kept = await readContact(work, keptId);
  // Before the other one is read: it may be unknown, which is an error of the body, not of the path.
  const other = await readContact(work, otherId).catch(() => null);
  const [moved] = await work.rows<MovedRow>(COUNT, [work.subAccountId, otherId]);
  await mergeContacts(work, keptId, otherId);
  return async (after) => {
    const result = await readContact(after, keptId);
    const members = Object.entries({ result, kept, other, moved });
    return json(`{${members.map(([name, value]) => `"${name}":${jsonText(value)}`).join(',')}}`);
  };
}

const live = (table: string, condition = 'true'): string => `(select count(*)::int from ${table} t
    where t.sub_account_id = $1 and t.contact_id = $2 and ${condition})`;

const COUNT = `select ${live('conversations', 't.deleted_at is null')} as conversations,
  ${live('appointments')} as appointments,
  ${live('opportunities', 't.deleted_at is null')} as opportunities,
  ${live('tasks', 't.deleted_at is null')} as tasks`;
