// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';

export interface SubAccount {
  id: string;
  name: string;
}

export const subAccounts = (api: Api) => ({
  /**
   * List the sub-accounts that an agency key can access.
   *
   * Newest first. Live keys list live sub-accounts, test keys list sandbox sub-accounts.
   *
   * Takes the key of an agency.
   */
  list: (options?: CallOptions) =>
    api.data<SubAccount[]>('GET', path`/api/v1/sub-accounts`, { options }),
});
