import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { cookieOf, inviteAs, SAME_ORIGIN } from '../support/people.ts';
import type { TestService } from '../support/service.ts';

/** Signs an admin in. Returns a function that downloads an archive as a browser does. */
export async function openDownloads(service: TestService) {
  const { token } = await inviteAs(service, 'admin');
  const signedIn = await service.call('POST /console/api/sign-in/link', {
    key: null,
    headers: SAME_ORIGIN,
    body: { token },
  });
  const headers = { cookie: cookieOf(signedIn), 'x-sub-account-id': service.subAccountId };
  return (id: string, { url = service.url, method = 'GET' } = {}): Promise<Response> =>
    fetch(`${url}/console/api/v1/contacts/${id}/export`, { method, headers });
}

/** Returns the JSON files of an archive as values. */
export function readJsonFiles(archive: Uint8Array): Record<string, any> {
  const folder = unzipped(archive);
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
  );
}

/** Unpacks an archive with the program that people have, and returns its folder. */
export function unzipped(archive: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-export-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'person.zip'), archive);
  execFileSync('python3', ['-m', 'zipfile', '-e', 'person.zip', 'files'], { cwd: folder });
  return join(folder, 'files');
}
