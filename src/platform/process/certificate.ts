import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { UsageFault } from '#core/fault.ts';
import { repeat } from '#lib/repeat.ts';
import type { Logger } from '../config/logger.ts';
import { systemError } from './system-error.ts';

/** Paths of two PEM files: a certificate, with its chain, and its private key. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** A certificate that a server can use, as PEM. */
export interface Certificate extends CertificateFiles {
  readonly leaf: X509Certificate;
}

const CERT = 'FRONTDESK_TLS_CERT';
const KEY = 'FRONTDESK_TLS_KEY';

interface TlsVariables {
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
}

/** Returns the files that the environment names, or undefined. Throws a UsageFault for one alone. */
export function certificateFilesOf({
  tlsCert,
  tlsKey,
}: TlsVariables): CertificateFiles | undefined {
  if (tlsCert !== undefined && tlsKey !== undefined) {
    return { cert: tlsCert, key: tlsKey };
  }
  if (tlsCert === undefined && tlsKey === undefined) {
    return undefined;
  }
  const [missing, given] = tlsCert === undefined ? [CERT, KEY] : [KEY, CERT];
  throw new UsageFault(`${missing} is not set, but ${given} is: set both, or neither`);
}

/** Reads both files and checks that they belong together. Throws a UsageFault that names the variable. */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  const cert = await readPem(CERT, files.cert);
  const key = await readPem(KEY, files.key);
  const leaf = parsed(CERT, files.cert, 'a certificate', () => new X509Certificate(cert));
  const privateKey = parsed(KEY, files.key, 'an unencrypted private key', () =>
    createPrivateKey(key),
  );
  if (!leaf.checkPrivateKey(privateKey)) {
    const its = `the private key of the certificate in ${CERT} ("${files.cert}")`;
    throw new UsageFault(`${KEY}: "${files.key}" is not ${its}`);
  }
  // Also rejects what Node would not serve, such as a key that is too short.
  parsed(CERT, files.cert, 'a usable certificate with its chain', () =>
    createSecureContext({ cert, key }),
  );
  return { cert, key, leaf };
}

async function readPem(variable: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = systemError(error)?.reason ?? String(error);
    throw new UsageFault(`${variable}: "${path}" cannot be read: ${reason}`);
  }
}

function parsed<T>(variable: string, path: string, what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const { message } = error as Error;
    throw new UsageFault(
      `${variable}: "${path}" does not contain ${what} in PEM format: ${message}`,
    );
  }
}

/** How soon a renewed certificate is used. */
const CHECK_EVERY_MS = 10_000;

interface WatchOptions {
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Called with each certificate that replaces the current one. */
  readonly use: (renewed: Certificate) => void;
  readonly checkEveryMs?: number;
  readonly now?: () => Date;
}

/**
 * Watches the files for a renewed certificate. They are read regularly: programs that renew
 * certificates replace links and folders, which file notifications miss. Files that are unusable, such
 * as a new certificate whose key is not written yet, are logged and tried again. An expired
 * certificate is logged once.
 */
export function watchCertificate(
  files: CertificateFiles,
  current: Certificate,
  { log, use, checkEveryMs = CHECK_EVERY_MS, now = () => new Date() }: WatchOptions,
): { stop(): Promise<void> } {
  let { cert, key } = current;
  let problem: string | undefined;
  let reported: string | undefined;
  const warnIfExpired = ({ fingerprint256, validToDate }: X509Certificate) => {
    if (validToDate <= now() && reported !== fingerprint256) {
      reported = fingerprint256;
      log.warn({ validUntil: validToDate, file: files.cert }, 'the TLS certificate has expired');
    }
  };
  warnIfExpired(current.leaf);
  const check = async () => {
    try {
      const found = await readCertificate(files);
      problem = undefined;
      warnIfExpired(found.leaf);
      if (found.cert !== cert || found.key !== key) {
        use(found);
        ({ cert, key } = found);
        log.info({ validUntil: found.leaf.validToDate }, 'TLS certificate replaced');
      }
    } catch (error) {
      const { message } = error as Error;
      if (message !== problem) {
        log.warn({ why: message }, 'TLS certificate not replaced; still using the previous one');
      }
      problem = message;
    }
  };
  return repeat(checkEveryMs, check);
}
