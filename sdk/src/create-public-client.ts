import { openApi } from './api.ts';
import { publicResources } from './generated/resources.ts';
import type { Patience, Runtime } from './options.ts';
import { settingsOf } from './settings.ts';

export interface PublicClientOptions extends Patience, Runtime {
  /** Where the installation is, such as `https://crm.example.com`. */
  readonly baseUrl: string;
}

export type PublicClient = ReturnType<typeof publicResources>;

/** A client of what visitors may call, without a key: to be used in browsers. */
export const createPublicClient = (options: PublicClientOptions): PublicClient =>
  publicResources(openApi(settingsOf(options)));
