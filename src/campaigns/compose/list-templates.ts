import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import { queryBuilder, queryRows } from '#platform/database/query-builder.ts';
import type { ListTable } from '../lists/list.entity.ts';
import type { MailTemplateTable } from './mail-template.entity.ts';

export interface ListedTemplate {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  /** The key of a list. */
  readonly defaultList: string | null;
  readonly htmlBytes: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Returns the mail templates of the view's sub-account by key. */
export async function listTemplates(view: View): Promise<ListedTemplate[]> {
  const { db, sql } = await queryBuilder<typeof MailTemplateTable | typeof ListTable>();
  const templates = db
    .selectFrom('mail_templates as t')
    .leftJoin('lists as l', (join) =>
      join
        .onRef('l.sub_account_id', '=', 't.sub_account_id')
        .onRef('l.id', '=', 't.default_list_id'),
    )
    .select(['t.id', 't.key', 't.name', 'l.key as defaultList'])
    .select([
      sql<number>`octet_length(t.html)`.as('htmlBytes'),
      sql.raw<string>(isoText('t.created_at')).as('createdAt'),
      sql.raw<string>(isoText('t.updated_at')).as('updatedAt'),
    ])
    .where('t.sub_account_id', '=', view.subAccountId)
    .orderBy('t.key');
  return queryRows<ListedTemplate>(view, templates);
}
