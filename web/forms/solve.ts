import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';

const PATIENCE_MS = 30_000;

export interface Proof {
  /** The value of `captchaToken`. */
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Fetches a challenge and solves it in slices, so that the page stays responsive. */
export async function solve(address: string): Promise<Proof> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!answer.ok) {
    throw new Error(`no challenge: ${answer.status}`);
  }
  const { data: challenge } = (await answer.json()) as { data: Challenge };
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) {
    throw new Error('not solved in time');
  }
  const token = btoa(JSON.stringify({ challenge, solution }));
  return { token, expiresAt: (challenge.parameters.expiresAt ?? 0) * 1_000 };
}
