import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '#kit/fault.ts';
import { newSecretKey, readSecretKey } from '#platform/secrets.ts';

const OWNER_ONLY = 0o600;

/** The key that a data folder keeps for itself, in base64; made by the first `up`. */
export async function secretKeyIn(folder: string): Promise<Buffer> {
  const path = join(folder, 'secret-key');
  await mkdir(folder, { recursive: true });
  // Never overwrites: what was sealed under the key that is there would be lost.
  await writeFile(path, `${newSecretKey()}\n`, { flag: 'wx', mode: OWNER_ONLY }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') {
        throw error;
      }
    },
  );
  const key = readSecretKey((await readFile(path, 'utf8')).trim());
  if (!key) {
    throw new Fault('SERVICE_UNAVAILABLE', `${path} does not hold 32 bytes in base64`);
  }
  return key;
}

/** Writes down what `up` made for itself, so that other commands reach it by FRONTDESK_ENV_FILE. */
export async function writeEnvironmentFile(
  folder: string,
  made: Readonly<Record<string, string>>,
): Promise<string> {
  const path = join(folder, 'frontdesk.env');
  const lines = Object.entries(made).map(([name, value]) => `${name}="${value}"\n`);
  await writeFile(path, lines.join(''), { mode: OWNER_ONLY });
  return path;
}
