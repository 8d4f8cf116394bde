// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';

export interface ApiKey {
  keyId: string;
  name: string;
  kind: 'live' | 'test' | 'agency_live' | 'agency_test' | 'oauth_live' | 'oauth_test';
  scopes: (
    | 'contacts:read'
    | 'contacts:write'
    | 'conversations:read'
    | 'conversations:write'
    | 'availability:read'
    | 'appointments:read'
    | 'appointments:write'
    | 'opportunities:read'
    | 'opportunities:write'
    | 'tasks:read'
    | 'tasks:write'
    | 'campaigns:write'
    | 'webhooks:manage'
    | 'service-types:read'
    | 'booking-estimates:read'
    | 'booking-appointments:read'
    | 'booking-appointments:write'
  )[];
  expiresAt: string | null;
  rates: {
    read: string;
    write: string;
  };
  subAccount: {
    id: string;
    name: string;
    timezone: string;
    currency: string;
    sandbox: boolean;
  } | null;
}

export const me = (api: Api) => ({
  /**
   * Get the calling key and its sub-account.
   *
   * For checking a key before anything depends on it. `rates` are the limits that its calls
   * count against. An agency key gets the sub-account of `X-Sub-Account-Id`; without the
   * header, `subAccount` is null. `expiresAt` is when the key expires. If the request has the
   * old value of a rotated key, it is the end of the grace period, if that is earlier. For a
   * program connected with OAuth, it is when its access token expires.
   *
   * Takes any key; no scope.
   */
  get: (options?: CallOptions) => api.data<ApiKey>('GET', path`/api/v1/me`, { options }),
});
