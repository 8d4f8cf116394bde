import { DAY_MS, HOUR_MS } from '#lib/duration.ts';

/** How long an access token works, */
export const ACCESS_MS = HOUR_MS;
/** and a refresh token; with each one the grant lives on for so long. */
export const REFRESH_MS = 30 * DAY_MS;

/** What a program gets for a code or a refresh token. */
export interface IssuedTokens {
  readonly keyId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When the access token ends. */
  readonly expiresAt: Date;
  readonly scopes: readonly string[];
}

/** Why a code or refresh token was refused. The change is committed: it may have ended the grant. */
export interface TokenRefusal {
  readonly refused: string;
  /** The token was used before: its grant was revoked. */
  readonly reusedBy?: { readonly keyId: string; readonly clientId: string };
}
