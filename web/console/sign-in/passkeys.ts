import {
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { FrontdeskError } from '../../../sdk/src/error.ts';
import { consoleCalls } from '../api/client.ts';
import type { Session } from '../api/console-types.ts';

const calls = consoleCalls();

/** Creates a passkey on this device and adds it to the signed-in user. */
export async function registerPasskey(): Promise<void> {
  await requireRecentSignIn();
  const optionsJSON = await calls.data<PublicKeyCredentialCreationOptionsJSON>(
    'POST',
    '/api/passkeys/options',
    {},
  );
  const credential = await startRegistration({ optionsJSON });
  await calls.data('POST', '/api/passkeys', { body: { credential } });
}

/**
 * Throws what the server would refuse with once the passkey is on the device, where it would stay without
 * being of use.
 */
async function requireRecentSignIn(): Promise<void> {
  const { isRecent } = await calls.data<Pick<Session, 'isRecent'>>('GET', '/api/session', {});
  if (!isRecent) {
    throw new FrontdeskError({
      code: 'FORBIDDEN',
      message: 'this needs a recent sign-in',
      status: 403,
      details: { reason: 'prove_again' },
    });
  }
}

/** Signs in with a passkey of this device. */
export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await calls.data<PublicKeyCredentialRequestOptionsJSON>(
    'POST',
    '/api/sign-in/passkey/options',
    {},
  );
  const credential = await startAuthentication({ optionsJSON });
  await calls.data('POST', '/api/sign-in/passkey', { body: { credential } });
}
