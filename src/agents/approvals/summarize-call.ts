import type { KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import { FORMATS } from '#core/schema/formats.ts';
import type { View } from '#core/work.ts';
import type { Arguments } from '../tools/action.ts';

const NAME_MAX = 80;

/** SQL: the name of record `$2` of sub-account `$1`, by the argument that names it. */
const NAMES: Readonly<Record<string, string>> = {
  contactId: `select coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), email, phone)
    as name from contacts where sub_account_id = $1 and id = $2`,
  campaignId: 'select name from campaigns where sub_account_id = $1 and id = $2',
  opportunityId: 'select name from opportunities where sub_account_id = $1 and id = $2',
  taskId: 'select title as name from tasks where sub_account_id = $1 and id = $2',
  listId: 'select name from lists where sub_account_id = $1 and id = $2',
  webhookId: 'select url as name from webhook_subscriptions where sub_account_id = $1 and id = $2',
};

/**
 * Returns one line about a call: what it does, and the records it names. A record without a name is
 * shown by its id. Names were written by customers, so line breaks are removed.
 */
export async function summarizeCall(
  view: View,
  { summary }: KeyedEndpoint,
  given: Arguments,
): Promise<string> {
  const named: string[] = [];
  for (const [argument, id] of Object.entries(given)) {
    if (/^id$|Id$/.test(argument) && typeof id === 'string') {
      named.push((await nameOf(view, argument, id)) ?? `${argument} ${id}`);
    }
  }
  return named.length === 0 ? summary : `${summary}: ${named.join(', ')}`;
}

async function nameOf(view: View, argument: string, id: string): Promise<string | undefined> {
  const read = NAMES[argument === 'id' ? 'contactId' : argument];
  if (read === undefined || FORMATS['uuid']?.test(id) !== true) {
    return undefined;
  }
  const [row] = await view.rows<{ name: string | null }>(read, [view.subAccountId, id]);
  return row?.name?.replaceAll(/\p{Cc}/gu, ' ').slice(0, NAME_MAX);
}
