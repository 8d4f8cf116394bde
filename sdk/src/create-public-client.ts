import { openApi } from './api.ts';
import { publicResources } from './generated/resources.ts';
import type { Patience, Runtime } from './options.ts';
import { settingsOf } from './settings.ts';

export interface PublicClientOptions extends Patience, Runtime {
  /** The base address of the installation, such as `https://crm.example.com`. */
  readonly baseUrl: string;
}

export type PublicClient = ReturnType<typeof publicResources>;

/** Creates a client of the public endpoints, without a key, for browsers. */
export const createPublicClient = (options: PublicClientOptions): PublicClient =>
  publicResources(openApi(settingsOf(options)));
