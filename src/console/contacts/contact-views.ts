import { Type, type Static } from 'typebox';
import { invalidField, notFound } from '#core/fault.ts';
import type { Json } from '#core/schema/json.ts';
import { recordSchema } from '#core/schema/record.ts';
import * as s from '#core/schema/schema.ts';
import type { View, Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { contactFilter } from '../../contacts/find-contacts.ts';

const NAME_MAX = 60;
const COLUMNS_MAX = 40;
const VIEWS_MAX = 50;

const fields = {
  name: s.shortText({ maxLength: NAME_MAX }),
  filter: contactFilter,
  columns: Type.Array(s.shortText(), {
    minItems: 1,
    maxItems: COLUMNS_MAX,
    uniqueItems: true,
    description: 'fields of a contact, or `custom.` and the name of a custom field',
  }),
};

export const viewCreate = s.request(fields);
type ViewCreate = Static<typeof viewCreate>;

export const viewPatch = s.request(s.partial(fields));
type ViewPatch = Static<typeof viewPatch>;

export const columnsBody = s.request({ columns: fields.columns });

export const viewSchema = s.response({
  id: s.uuid(),
  name: s.nullable(Type.String({ examples: ['New leads'] })),
  filter: contactFilter,
  columns: Type.Array(Type.String()),
});

const viewRecord = recordSchema(viewSchema, 'v');

/** Returns the views of a user by name; the one without a name, if there is one, comes last. */
export async function findViews(view: View, userId: string): Promise<Json> {
  const rows = await view.wireRows(FIND, [view.subAccountId, userId]);
  return viewRecord.encodeAll(rows, 0);
}

const FIND = `select ${viewRecord.members} from contact_views v
  where v.sub_account_id = $1 and v.user_id = $2 order by lower(v.name), v.id`;

/** Returns a view of a user. Throws NOT_FOUND for those of others. */
export async function readView(view: View, userId: string, id: string): Promise<Json> {
  const [row] = await view.wireRows(READ, [view.subAccountId, userId, id]);
  if (!row) {
    throw notFound('view');
  }
  return viewRecord.encode(row, 0);
}

const READ = `select ${viewRecord.members} from contact_views v
  where v.sub_account_id = $1 and v.user_id = $2 and v.id = $3 and v.name is not null`;

/** Saves a view and returns its id. Views are a matter of their user: they are not audited. */
export async function createView(
  work: Work,
  userId: string,
  { name, filter, columns }: ViewCreate,
): Promise<string> {
  const [count] = await work.rows<{ views: number }>(COUNT, [work.subAccountId, userId]);
  if ((count?.views ?? 0) >= VIEWS_MAX) {
    const reason = { reason: 'too_many_views', limit: VIEWS_MAX };
    throw invalidField(
      '/name',
      `would be one view too many; at most ${VIEWS_MAX} are kept`,
      reason,
    );
  }
  const id = newId(work.now);
  refuseSameName(work);
  const values = [work.subAccountId, id, userId, name, JSON.stringify(filter), columns, work.now];
  work.write(INSERT, values);
  return id;
}

const COUNT = `select count(*)::int as views from contact_views
  where sub_account_id = $1 and user_id = $2 and name is not null`;

const INSERT = `insert into contact_views
    (sub_account_id, id, user_id, name, filter, columns, created_at, updated_at)
  values ($1, $2, $3, $4, $5::jsonb, $6, $7, $7)`;

const refuseSameName = (work: Work): void =>
  work.mapConstraint('contact_views_name', () =>
    invalidField('/name', 'is the name of another view', { reason: 'duplicate_name' }),
  );

/** Changes the given members of a view of the user. Throws NOT_FOUND for those of others. */
export async function updateView(
  work: Work,
  { userId, id }: { readonly userId: string; readonly id: string },
  { name, filter, columns }: ViewPatch,
): Promise<void> {
  await readView(work, userId, id);
  refuseSameName(work);
  const values = [name ?? null, filter === undefined ? null : JSON.stringify(filter)];
  work.write(UPDATE, [work.subAccountId, userId, id, ...values, columns ?? null, work.now]);
}

const UPDATE = `update contact_views set name = coalesce($4, name),
    filter = coalesce($5::jsonb, filter), columns = coalesce($6::text[], columns), updated_at = $7
  where sub_account_id = $1 and user_id = $2 and id = $3`;

/** Deletes a view of the user. Throws NOT_FOUND for those of others. */
export async function deleteView(work: Work, userId: string, id: string): Promise<void> {
  await readView(work, userId, id);
  work.write(DELETE, [work.subAccountId, userId, id]);
}

const DELETE = `delete from contact_views
  where sub_account_id = $1 and user_id = $2 and id = $3`;

/** Saves the columns of the list of all contacts. */
export function saveColumns(work: Work, userId: string, columns: readonly string[]): void {
  work.write(SAVE_COLUMNS, [work.subAccountId, newId(work.now), userId, columns, work.now]);
}

const SAVE_COLUMNS = `insert into contact_views
    (sub_account_id, id, user_id, name, filter, columns, created_at, updated_at)
  values ($1, $2, $3, null, '{}', $4, $5, $5)
  on conflict (sub_account_id, user_id, name)
    do update set columns = excluded.columns, updated_at = excluded.updated_at`;
