import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';

/** A proof is renewed this long before it expires, so that submitting does not have to wait. */
const SPARE_MS = 60_000;
const TIMEOUT_MS = 30_000;

/** Solves the captcha while the form is being filled in, and submits the form once it is solved. */
export function guard(form: HTMLFormElement): void {
  const token = form.querySelector<HTMLInputElement>('input[name=captchaToken]');
  const button = form.querySelector<HTMLButtonElement>('button:not([type=button])');
  const status = form.querySelector('.checking');
  const address = form.dataset['challenge'];
  if (!token || !button || !status || address === undefined) {
    return;
  }
  form.querySelector('.unscripted')?.remove();
  let solving: Promise<Proof> | undefined;
  const solveOnce = () => {
    solving ??= solve(address).catch((error: unknown) => {
      solving = undefined;
      throw error;
    });
    return solving;
  };
  const begin = () => void solveOnce().catch(() => undefined);
  form.addEventListener('focusin', begin, { once: true });
  form.addEventListener('pointerdown', begin, { once: true });

  const send = async () => {
    button.disabled = true;
    status.textContent = form.dataset['checking'] ?? '';
    try {
      let proof = await solveOnce();
      if (proof.expiresAt - SPARE_MS < Date.now()) {
        solving = undefined;
        proof = await solveOnce();
      }
      token.value = proof.token;
      form.submit();
    } catch {
      const why = globalThis.isSecureContext ? 'uncheckable' : 'insecure';
      status.textContent = form.dataset[why] ?? '';
      button.disabled = false;
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!button.disabled) {
      void send();
    }
  });
  // After navigating back, the page has a proof that was already used.
  globalThis.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) {
      solving = undefined;
      button.disabled = false;
      status.textContent = '';
    }
  });
}

interface Proof {
  /** The value of `captchaToken`. */
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Fetches a challenge and solves it in slices, so that the page stays responsive. */
async function solve(address: string): Promise<Proof> {
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
