import { openApi } from './api.ts';
import { keyedResources, publicResources } from './generated/resources.ts';
import type { Patience, Runtime } from './options.ts';
import { settingsOf } from './settings.ts';

export interface ClientOptions extends Patience, Runtime {
  /** Where the installation is, such as `https://crm.example.com`. */
  readonly baseUrl: string;
  /** Keep it on your server: whoever has it can do what its scopes allow. */
  readonly apiKey: string;
  /** Whose data is meant. An agency key needs one for all but `subAccounts.list()`. */
  readonly subAccountId?: string | undefined;
}

export type Client = ReturnType<typeof keyedResources> &
  ReturnType<typeof publicResources> & {
    /** The same client for another sub-account of the agency. */
    forSubAccount(subAccountId: string): Client;
  };

/** A client of every endpoint, with a key. */
export function createClient(options: ClientOptions): Client {
  return {
    ...keyedResources(openApi(settingsOf(options, options))),
    ...publicResources(openApi(settingsOf(options))),
    forSubAccount: (subAccountId) => createClient({ ...options, subAccountId }),
  };
}
