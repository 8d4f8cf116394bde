import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecurely } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { certificateExpiry, daysText } from './certificate.ts';
import { ok, warn, type Check } from './check.ts';

/** Whether visitors reach us where links lead, and for how long the certificate still holds. */
export const publicAddress: Check = {
  name: 'public address',
  async examine({ baseUrl }) {
    if (baseUrl === undefined) {
      return warn(
        'FRONTDESK_BASE_URL is not set: links in mails point to localhost, and provider signatures (Twilio, Meta) will not verify',
        'set it to the address that visitors reach',
      );
    }
    const found = await probeAddress(baseUrl);
    if ('failure' in found) {
      return warn(
        `${baseUrl} is not reached from here: ${found.failure}`,
        'see that the server runs, that the name leads to its proxy, and that the certificate is for the name; a machine that may not reach its own public address can say so wrongly',
      );
    }
    const { daysLeft } = found;
    if (daysLeft === undefined) {
      return ok(`${baseUrl} answers`);
    }
    const rest = `its certificate is valid for ${daysText(daysLeft)}`;
    const fix = 'see why the certificate was not renewed';
    return (
      certificateExpiry(`the certificate of ${baseUrl}`, daysLeft, fix) ??
      ok(`${baseUrl} answers, ${rest}`)
    );
  },
};

const PATIENCE_MS = 5_000;
const DAY_MS = 24 * 3_600_000;

interface Reached {
  /** Of the certificate; undefined without TLS. */
  readonly daysLeft: number | undefined;
}

/** Asks the server behind an address for a sign of life, as a visitor would. */
function probeAddress(baseUrl: string): Promise<Reached | { readonly failure: string }> {
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/healthz`);
  const get = url.protocol === 'https:' ? getSecurely : getPlain;
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    // A connection of its own: its certificate is asked for.
    const request = get(url, { agent: false, signal }, (answer) => {
      answer.resume();
      const { statusCode } = answer;
      resolve(
        statusCode === 200
          ? { daysLeft: daysLeftOf(answer) }
          : { failure: `/healthz answers ${statusCode}` },
      );
    });
    request.on('error', (error) => {
      resolve({ failure: signal.aborted ? 'no answer in time' : error.message || String(error) });
    });
  });
}

function daysLeftOf({ socket }: IncomingMessage): number | undefined {
  const ends = (socket as Partial<TLSSocket>).getPeerCertificate?.().valid_to;
  return ends === undefined ? undefined : (Date.parse(ends) - Date.now()) / DAY_MS;
}
