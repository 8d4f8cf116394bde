import {
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { consoleCalls } from '../api/client.ts';

const calls = consoleCalls();

/** Creates a passkey on this device and adds it to the signed-in user. */
export async function registerPasskey(): Promise<void> {
  const optionsJSON = await calls.data<PublicKeyCredentialCreationOptionsJSON>(
    'POST',
    '/api/passkeys/options',
    {},
  );
  const credential = await startRegistration({ optionsJSON });
  await calls.data('POST', '/api/passkeys', { body: { credential } });
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
