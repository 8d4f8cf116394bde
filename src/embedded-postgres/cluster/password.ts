import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '#platform/files/atomic-write.ts';
import { messageOf, refuse } from '../refuse.ts';

const PASSWORD_BYTES = 32;

export const passwordFileOf = (cluster: string): string => `${cluster}.password`;

export const writeNewPassword = (file: string): Promise<void> =>
  writeFileAtomically(file, `${randomBytes(PASSWORD_BYTES).toString('base64url')}\n`);

export async function readPassword(cluster: string): Promise<string> {
  try {
    return (await readFile(passwordFileOf(cluster), 'utf8')).trim();
  } catch (error) {
    throw refuse(`the password of the data in ${cluster} is not to be had: ${messageOf(error)}`);
  }
}
