import { solve, type Proof } from './solve.ts';

/** Nobody waits at the last moment for an answer that says it has expired. */
const SPARE_MS = 60_000;

/** Proves, while somebody fills in the form, that he is no robot, and sends it when that is done. */
export function guard(form: HTMLFormElement): void {
  const token = form.querySelector<HTMLInputElement>('input[name=captchaToken]');
  const button = form.querySelector('button');
  const status = form.querySelector('.checking');
  const address = form.dataset['challenge'];
  if (!token || !button || !status || address === undefined) {
    return;
  }
  form.querySelector('.unscripted')?.remove();
  let proving: Promise<Proof> | undefined;
  const prove = () => {
    proving ??= solve(address).catch((error: unknown) => {
      proving = undefined;
      throw error;
    });
    return proving;
  };
  const begin = () => void prove().catch(() => undefined);
  form.addEventListener('focusin', begin, { once: true });
  form.addEventListener('pointerdown', begin, { once: true });

  const send = async () => {
    button.disabled = true;
    status.textContent = form.dataset['checking'] ?? '';
    try {
      let proof = await prove();
      if (proof.expiresAt - SPARE_MS < Date.now()) {
        proving = undefined;
        proof = await prove();
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
  // Whoever comes back finds the page as he left it, with a proof that counts no more.
  globalThis.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) {
      proving = undefined;
      button.disabled = false;
      status.textContent = '';
    }
  });
}
