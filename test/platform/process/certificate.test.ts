import { mkdtemp, rm, symlink, unlink, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { UsageFault } from '#core/fault.ts';
import {
  certificateFilesOf,
  readCertificate,
  watchCertificate,
  type Certificate,
  type CertificateFiles,
} from '#platform/process/certificate.ts';
import { newLocalCertificate } from '#platform/process/listen.ts';

const PATIENCE = { timeout: 60_000, interval: 5 };

let folder: string;
let files: CertificateFiles;
let one: CertificateFiles;
let other: CertificateFiles;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-tls-'));
  files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const hosts = ['localhost', '127.0.0.1', '::1', 'desk.example'];
  [one, other] = await Promise.all([newLocalCertificate(hosts), newLocalCertificate(hosts)]);
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => store(one));

async function store({ cert, key }: CertificateFiles): Promise<void> {
  await writeFile(files.cert, cert);
  await writeFile(files.key, key);
}

describe('a certificate for this machine', () => {
  test('is valid for its hosts, for a year', async () => {
    const { leaf } = await readCertificate(files);
    expect(leaf.subject).toMatch(/O=Frontdesk/);
    for (const name of ['localhost', 'desk.example']) {
      expect(leaf.checkHost(name)).toBe(name);
    }
    expect(['127.0.0.1', '::1'].map((address) => leaf.checkIP(address))).toEqual([
      '127.0.0.1',
      '::1',
    ]);
    const days = (leaf.validToDate.getTime() - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(365);
  });
});

describe('the files of a certificate', () => {
  test('are named by two variables, or by none', () => {
    expect(certificateFilesOf({ tlsCert: undefined, tlsKey: undefined })).toBeUndefined();
    expect(certificateFilesOf({ tlsCert: 'a', tlsKey: 'b' })).toEqual({ cert: 'a', key: 'b' });
    expect(() => certificateFilesOf({ tlsCert: 'a', tlsKey: undefined })).toThrow(
      new UsageFault(
        'FRONTDESK_TLS_KEY is not set, but FRONTDESK_TLS_CERT is: set both, or neither',
      ),
    );
    expect(() => certificateFilesOf({ tlsCert: undefined, tlsKey: 'b' })).toThrow(
      'FRONTDESK_TLS_CERT is not set, but FRONTDESK_TLS_KEY is',
    );
  });

  test.each([
    [
      'no certificate',
      'cert',
      undefined,
      /^FRONTDESK_TLS_CERT: ".*cert\.pem" cannot be read: no such file/,
    ],
    ['no key', 'key', undefined, /^FRONTDESK_TLS_KEY: ".*key\.pem" cannot be read: no such file/],
    [
      'text instead of a certificate',
      'cert',
      'hello',
      /^FRONTDESK_TLS_CERT: ".*" does not contain a certificate/,
    ],
    [
      'text instead of a key',
      'key',
      'hello',
      /^FRONTDESK_TLS_KEY: ".*" does not contain an unencrypted private key/,
    ],
  ] as const)('are refused in one line: %s', async (_, part, content, message) => {
    await (content === undefined ? unlink(files[part]) : writeFile(files[part], content));
    const refusal = await readCertificate(files).catch((error: unknown) => error as Error);
    expect(refusal).toBeInstanceOf(UsageFault);
    expect((refusal as Error).message).toMatch(message);
    expect((refusal as Error).message).not.toContain('\n');
  });

  test('are refused if the key belongs to another certificate', async () => {
    await writeFile(files.key, other.key);
    await expect(readCertificate(files)).rejects.toThrow(
      `FRONTDESK_TLS_KEY: "${files.key}" is not the private key of the certificate in FRONTDESK_TLS_CERT ("${files.cert}")`,
    );
  });
});

describe('watching', () => {
  /** Replaces a file in one step: the watcher would report a file that is written in part. */
  const replace = async (path: string, content: string) => {
    await writeFile(`${path}.new`, content);
    await rename(`${path}.new`, path);
  };
  const watching = async () => {
    const lines: string[] = [];
    const used: Certificate[] = [];
    const log = {
      info: (_: object, message: string) => lines.push(message),
      warn: ({ why }: { why: string }) => lines.push(why),
    };
    const watch = watchCertificate(files, await readCertificate(files), {
      log: log as never,
      use: (renewed) => used.push(renewed),
      checkEveryMs: 5,
    });
    return { ...watch, lines, used };
  };

  test('uses a renewed certificate once both files belong together', async () => {
    const watch = await watching();
    await replace(files.cert, other.cert);
    await vi.waitFor(() => expect(watch.lines).toHaveLength(1), PATIENCE);
    expect(watch.lines[0]).toMatch(/^FRONTDESK_TLS_KEY: .* is not the private key/);
    expect(watch.used).toEqual([]);
    await replace(files.key, other.key);
    await vi.waitFor(() => expect(watch.used).toHaveLength(1), PATIENCE);
    expect(watch.used[0]).toMatchObject(other);
    await watch.stop();
    expect(watch.lines.slice(1)).toEqual(['TLS certificate replaced']);
  });

  test('warns once about a certificate that has expired', async () => {
    let now = new Date();
    let checks = 0;
    const said: string[] = [];
    const watch = watchCertificate(files, await readCertificate(files), {
      log: { info: () => undefined, warn: (_: unknown, text: string) => said.push(text) } as never,
      use: () => undefined,
      checkEveryMs: 5,
      now: () => {
        checks += 1;
        return now;
      },
    });
    await vi.waitFor(() => expect(checks).toBeGreaterThan(2), PATIENCE);
    expect(said).toEqual([]);
    now = new Date(Date.now() + 400 * 86_400_000);
    checks = 0;
    await vi.waitFor(() => expect(checks).toBeGreaterThan(3), PATIENCE);
    await watch.stop();
    expect(said).toEqual(['the TLS certificate has expired']);
  });

  test('follows links that lead to new files', async () => {
    const [first, second] = [join(folder, 'first.pem'), join(folder, 'second.pem')];
    await writeFile(first, one.cert + one.key);
    await writeFile(second, other.cert + other.key);
    const relink = async (target: string) => {
      for (const path of [files.cert, files.key]) {
        await rm(path, { force: true });
        await symlink(target, path);
      }
    };
    await relink(first);
    const watch = await watching();
    await relink(second);
    await vi.waitFor(() => expect(watch.used).toHaveLength(1), PATIENCE);
    expect(watch.used[0]?.leaf.serialNumber).not.toBe(undefined);
    await watch.stop();
    await relink(first);
    for (const path of [files.cert, files.key]) {
      await rm(path);
    }
  });

  test('keeps the certificate while a file is missing', async () => {
    const watch = await watching();
    await unlink(files.cert);
    await vi.waitFor(() => expect(watch.lines).toHaveLength(1), PATIENCE);
    await store(one);
    await watch.stop();
    expect(watch.used).toEqual([]);
  });
});
