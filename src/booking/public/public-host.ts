import { notFound } from '#core/fault.ts';
import type { CachedRead, View } from '#core/work.ts';

/** With whom a visitor books. */
export interface Host {
  /** What the sub-account is called outside. */
  readonly brand: string;
  readonly timezone: string;
  readonly locale: string;
}

/** From memory; throws NOT_FOUND where there is no such sub-account, or none any more. */
export async function hostOf(view: View): Promise<Host> {
  const [host] = await view.cached(HOST);
  if (!host) {
    throw notFound('sub-account');
  }
  return host;
}

const HOST: CachedRead<Host> = {
  tables: ['sub_accounts'],
  text: `select coalesce(brand, name) as brand, timezone, locale
    from sub_accounts where id = $1 and deleted_at is null`,
};
