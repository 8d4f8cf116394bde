import { openApi } from './api.ts';
import { keyedResources, publicResources } from './generated/resources.ts';
import type { Patience, Runtime } from './options.ts';
import { settingsOf } from './settings.ts';

export interface ClientOptions extends Patience, Runtime {
  /** The base address of the installation, such as `https://crm.example.com`. */
  readonly baseUrl: string;
  /** Keep it on your server: it allows everything in its scopes. */
  readonly apiKey: string;
  /**
   * The sub-account of all calls. An agency key needs one for every call except
   * `subAccounts.list()`.
   */
  readonly subAccountId?: string | undefined;
}

export type Client = ReturnType<typeof keyedResources> &
  ReturnType<typeof publicResources> & {
    /** Returns the same client for another sub-account of the agency. */
    forSubAccount(subAccountId: string): Client;
  };

/** Creates a client of every keyed endpoint. */
export function createClient(options: ClientOptions): Client {
  return {
    ...keyedResources(openApi(settingsOf(options, options))),
    ...publicResources(openApi(settingsOf(options))),
    forSubAccount: (subAccountId) => createClient({ ...options, subAccountId }),
  };
}

export interface PublicClientOptions extends Patience, Runtime {
  /** The base address of the installation, such as `https://crm.example.com`. */
  readonly baseUrl: string;
}

export type PublicClient = ReturnType<typeof publicResources>;

/** Creates a client of the public endpoints, without a key, for browsers. */
export const createPublicClient = (options: PublicClientOptions): PublicClient =>
  publicResources(openApi(settingsOf(options)));
