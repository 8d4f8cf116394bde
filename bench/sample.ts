import type { Ground, SubAccount } from './ground.ts';
import { requestText, UNIQUE } from './hammer.ts';

const SAMPLE = 2_000;

/** Returns ids of contacts spread over a sub-account. */
export async function someContactIds({ sql }: Ground, { id }: SubAccount): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `select id from contacts where sub_account_id = $1 and deleted_at is null
     order by random() limit ${SAMPLE}`,
    [id],
  );
  return rows.map((row) => row.id);
}

/** Returns rare last names. */
export async function rareWords({ sql }: Ground, { id }: SubAccount): Promise<string[]> {
  const { rows } = await sql.query<{ word: string }>(
    `select last_name as word from contacts where sub_account_id = $1
     group by 1 having count(*) <= 20 order by random() limit ${SAMPLE}`,
    [id],
  );
  return rows.map(({ word }) => word);
}

export const getRequest = ({ authorization }: SubAccount, path: string): string =>
  requestText(`GET ${path}`, [authorization]);

/** A contact as a form sends it, with a unique address. */
export const NEW_CONTACT = JSON.stringify({
  firstName: 'Katharina',
  lastName: 'Belmonte',
  email: `katharina.${UNIQUE}@example.com`,
  phone: '+493012345678',
  company: 'Belmonte GmbH',
  tags: ['newsletter', 'vip'],
});

export const createRequest = ({ authorization }: SubAccount): string =>
  requestText('POST /api/v1/contacts', [authorization], NEW_CONTACT);
