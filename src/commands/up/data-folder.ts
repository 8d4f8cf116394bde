import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Fault } from '#core/fault.ts';
import { writeFileAtomically } from '#platform/files/atomic-write.ts';
import { makeFolders } from '#platform/files/make-folders.ts';
import {
  acquireProcessLock,
  type LockOwner,
  type ProcessLock,
} from '#platform/process/process-lock.ts';
import { readCertificate, type CertificateFiles } from '#platform/process/certificate.ts';
import { newLocalCertificate } from '#platform/process/listen.ts';
import { DAY_MS } from '#lib/duration.ts';
import { fullDiskText } from '../../embedded-postgres/full-disk.ts';
import { systemError } from '#platform/process/system-error.ts';
import {
  environmentFileOf,
  environmentText,
  lockFileOf,
} from '#platform/config/environment-file.ts';

/**
 * Creates the data folder if it is missing, and locks it for this process. Throws a Fault if another
 * `up` uses it or it is not writable.
 */
export async function openDataFolder(folder: string): Promise<ProcessLock> {
  const lock = await usable(folder, async () => {
    await makeFolders(folder);
    return acquireProcessLock(lockFileOf(folder));
  });
  if (!lock) {
    throw unusable(folder, `${lockFileOf(folder)} cannot be created`);
  }
  if ('owner' in lock) {
    throw new Fault('SERVICE_UNAVAILABLE', runningText(folder, lock.owner));
  }
  return lock;
}

const runningText = (folder: string, { pid, note }: LockOwner): string =>
  `Frontdesk already runs on ${folder}: ${note || 'it is starting'}, process ${pid}; ` +
  `stop it first (kill ${pid}), or use another folder: --data DIR --port N`;

/** A certificate that ends sooner is replaced at the start. */
const CERTIFICATE_DAYS_LEFT = 30;

/**
 * Returns the files of the certificate for this machine, with which `up --https` serves. Creates them
 * if they are missing, unusable, about to expire, or not valid for `host`, a name or address.
 */
export async function localCertificateIn(folder: string, host: string): Promise<CertificateFiles> {
  const files = {
    cert: join(folder, 'https-certificate.pem'),
    key: join(folder, 'https-key.pem'),
  };
  const hosts = ['localhost', '127.0.0.1', '::1', hostname()];
  if (!EVERY_ADDRESS.has(host)) {
    hosts.push(host);
  }
  return usable(folder, async () => {
    if (!(await isFit(files, hosts))) {
      const { cert, key } = await newLocalCertificate([...new Set(hosts)]);
      await writeFileAtomically(files.key, key);
      await writeFileAtomically(files.cert, cert);
    }
    return files;
  });
}

const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);

async function isFit(files: CertificateFiles, hosts: readonly string[]): Promise<boolean> {
  const known = await readCertificate(files).catch(() => undefined);
  if (!known) {
    return false;
  }
  const { leaf } = known;
  const daysLeft = (leaf.validToDate.getTime() - Date.now()) / DAY_MS;
  const isValidFor = (host: string) =>
    (isIP(host) > 0 ? leaf.checkIP(host) : leaf.checkHost(host)) !== undefined;
  return daysLeft > CERTIFICATE_DAYS_LEFT && hosts.every(isValidFor);
}

/** Writes the generated variables, for other commands to read through FRONTDESK_ENV_FILE. */
export async function writeEnvironmentFile(
  folder: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const path = environmentFileOf(folder);
  await usable(folder, () => writeFileAtomically(path, environmentText(variables)));
  return path;
}

/** Runs `act`. Throws a Fault that names the folder if a system call fails. */
export async function usable<R>(folder: string, act: () => Promise<R>): Promise<R> {
  try {
    return await act();
  } catch (error) {
    const failed = systemError(error);
    if (failed && /ENOSPC/.test(failed.reason)) {
      throw new Fault('SERVICE_UNAVAILABLE', fullDiskText(folder));
    }
    throw failed ? unusable(folder, `${failed.path || folder}: ${failed.reason}`) : error;
  }
}

const unusable = (folder: string, reason: string): Fault => {
  const isForbidden = /E(?:ACCES|PERM)/.test(reason);
  const owner = isForbidden ? 'run as the user who owns it, or ' : '';
  return new Fault(
    'SERVICE_UNAVAILABLE',
    `the data folder ${folder} cannot be used: ${reason}; ${owner}name another one with --data`,
  );
};
