import type { View } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import { hashOf, isWellFormed } from '../keys/key-value.ts';
import { readGrantToken } from './grant-token.ts';

/** A grant, as a token of it finds it. */
export interface GrantRow {
  readonly id: string;
  readonly subAccountId: string;
  readonly clientId: string;
}

/** Returns the grant of an access token or refresh token; undefined if there is none. */
export async function findGrant(
  openView: (subAccountId: string, now: Date) => View,
  token: string,
  now: Date,
): Promise<GrantRow | undefined> {
  const refresh = readGrantToken('refresh', token);
  if (refresh) {
    const { subAccountId, tokenHash } = refresh;
    const [found] = await openView(subAccountId, now).rows<GrantRow>(BY_REFRESH_TOKEN, [
      subAccountId,
      tokenHash,
    ]);
    return found;
  }
  const values = isWellFormed(token) ? [hashOf(token)] : undefined;
  const [key] = values ? await openView(AGENCY, now).rows<KeyOfGrant>(KEY, values) : [];
  const [found] = key
    ? await openView(key.subAccountId, now).rows<GrantRow>(BY_ID, [key.subAccountId, key.id])
    : [];
  return found;
}

type KeyOfGrant = Pick<GrantRow, 'id' | 'subAccountId'>;

const COLUMNS = 'g.id, g.sub_account_id as "subAccountId", g.client_id as "clientId"';

const BY_REFRESH_TOKEN = `select ${COLUMNS} from oauth_refresh_tokens t
  join oauth_grants g on g.sub_account_id = t.sub_account_id and g.id = t.grant_id
  where t.sub_account_id = $1 and t.token_hash = $2`;

const BY_ID = `select ${COLUMNS} from oauth_grants g where g.sub_account_id = $1 and g.id = $2`;

const KEY = `select id, sub_account_id as "subAccountId" from api_keys
  where (hash = $1 or previous_hash = $1) and kind in ('oauth_live', 'oauth_test')`;
