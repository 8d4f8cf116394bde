import type { Work } from '#core/work.ts';

/** Returns the sub-account's currency. */
export async function currencyOf(work: Work): Promise<string> {
  const [found] = await work.rows<{ currency: string }>(CURRENCY, [work.subAccountId]);
  return found?.currency ?? 'USD';
}

const CURRENCY = 'select currency from sub_accounts where id = $1';
