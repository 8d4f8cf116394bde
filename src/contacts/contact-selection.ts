import { Type, type Static } from 'typebox';
import { invalid } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import { contactConditions, contactFilter } from './find-contacts.ts';

/** As many as a person may tick in a list. */
const IDS_MAX = 1_000;

/** The members of a body that selects contacts: by id, or all that a filter finds. */
export const selectionFields = {
  contactIds: Type.Optional(
    Type.Array(s.uuid(), { minItems: 1, maxItems: IDS_MAX, uniqueItems: true }),
  ),
  filter: Type.Optional(contactFilter),
};

const contactSelection = s.request(selectionFields);
export type ContactSelection = Static<typeof contactSelection>;

/** Throws unless the body has either ids or a filter. */
export function refuseUnclearSelection({ contactIds, filter }: ContactSelection): void {
  if ((contactIds === undefined) === (filter === undefined)) {
    const message = 'needs either contactIds or filter; an empty filter selects every contact';
    throw invalid([{ in: 'body', path: '', message }]);
  }
}

/** Returns SQL conditions on contact `c` of sub-account `$1`; deleted contacts never match. */
export function selectionConditions(
  { contactIds, filter = {} }: ContactSelection,
  bind: (value: unknown) => string,
): readonly string[] {
  return [
    'c.sub_account_id = $1',
    'c.deleted_at is null',
    contactIds !== undefined && `c.id = any(${bind(contactIds)}::uuid[])`,
    ...contactConditions(filter, bind),
  ].filter((condition) => condition !== false);
}
