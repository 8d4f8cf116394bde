import { solve, type Proof } from './solve.ts';

/** A proof is renewed this long before it expires, so that submitting does not have to wait. */
const SPARE_MS = 60_000;

/** Solves the captcha while the form is being filled in, and submits the form once it is solved. */
export function guard(form: HTMLFormElement): void {
  const token = form.querySelector<HTMLInputElement>('input[name=captchaToken]');
  const button = form.querySelector('button');
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
