import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';

const TIMEOUT_MS = 30_000;

export interface Proof {
  /** The value of `captchaToken`. */
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Fetches a challenge and solves it in slices, so that the page stays responsive. */
export async function solve(address: string): Promise<Proof> {
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) {
    throw new Error(`the server returned ${response.status} for a challenge`);
  }
  const { data: challenge } = (await response.json()) as { data: Challenge };
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) {
    throw new Error('the challenge was not solved in time');
  }
  const token = btoa(JSON.stringify({ challenge, solution }));
  return { token, expiresAt: (challenge.parameters.expiresAt ?? 0) * 1_000 };
}
