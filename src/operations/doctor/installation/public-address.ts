import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecurely } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { certificateExpiry, daysText } from './certificate.ts';
import { ok, warn, type Check } from '../check.ts';
import { DAY_MS } from '#lib/duration.ts';

/** Checks whether FRONTDESK_BASE_URL leads to this installation, and when its certificate expires. */
export const publicAddress: Check = {
  name: 'public address',
  async examine({ baseUrl }) {
    if (baseUrl === undefined) {
      return warn(
        'FRONTDESK_BASE_URL is not set: links in mails point to localhost, and the signatures of Twilio and Meta cannot be verified',
        'set it to the public URL of this installation',
      );
    }
    const found = await probeAddress(baseUrl);
    if ('failure' in found) {
      if (UNTRUSTED.has(found.code ?? '')) {
        return warn(
          `${baseUrl} responds, but its certificate is not trusted here: ${found.code}`,
          'if it is of a CA of your own, or self-signed, set NODE_EXTRA_CA_CERTS to the file of that certificate; otherwise serve the whole chain',
        );
      }
      return warn(
        `${baseUrl} cannot be reached from here: ${found.failure}`,
        'check that the server runs, that the host name points to its proxy, and that the certificate is for this host name; ignore this if the machine may not connect to its own public address',
      );
    }
    const { daysLeft } = found;
    if (daysLeft === undefined) {
      return ok(`${baseUrl} responds`);
    }
    const rest = `its certificate is valid for ${daysText(daysLeft)}`;
    const fix = 'check why the certificate was not renewed';
    return (
      certificateExpiry(`the certificate of ${baseUrl}`, daysLeft, fix) ??
      ok(`${baseUrl} responds, ${rest}`)
    );
  },
};

const TIMEOUT_MS = 5_000;

interface Reached {
  /** Days until the certificate expires; undefined without TLS. */
  readonly daysLeft: number | undefined;
}

interface Unreached {
  readonly failure: string;
  /** That of Node or OpenSSL. */
  readonly code?: string | undefined;
}

/** The server was reached, but the issuer of its certificate is unknown to this machine. */
const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Requests /healthz at the public address. */
function probeAddress(baseUrl: string): Promise<Reached | Unreached> {
  const url = new URL(`${baseUrl}/healthz`);
  const get = url.protocol === 'https:' ? getSecurely : getPlain;
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    // A new connection, since a kept one may have the previous certificate.
    const request = get(url, { agent: false, signal }, (answer) => {
      answer.resume();
      const { statusCode } = answer;
      resolve(
        statusCode === 200
          ? { daysLeft: daysLeftOf(answer) }
          : { failure: `/healthz returns ${statusCode}` },
      );
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      resolve({
        code: error.code,
        failure: signal.aborted
          ? `no response within ${TIMEOUT_MS / 1_000} s`
          : error.message || String(error),
      });
    });
  });
}

function daysLeftOf({ socket }: IncomingMessage): number | undefined {
  const ends = (socket as Partial<TLSSocket>).getPeerCertificate?.().valid_to;
  return ends === undefined ? undefined : (Date.parse(ends) - Date.now()) / DAY_MS;
}
