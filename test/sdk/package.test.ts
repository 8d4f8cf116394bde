import { createHmac } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { startProject, type Project } from './package.support.ts';

const GZIPPED_MAX = 5_200;

let project: Project;
let installation: Installation;
let variables: Record<string, string>;

beforeAll(async () => {
  [project, installation] = await Promise.all([startProject(), startInstallation()]);
  const { json } = await installation.admin('key create --agency --name A --scopes all');
  variables = {
    FRONTDESK_URL: installation.url,
    FRONTDESK_API_KEY: installation.key,
    FRONTDESK_AGENCY_KEY: json.key,
  };
});
afterAll(async () => {
  await installation.close();
  await rm(dirname(project.folder), { recursive: true, force: true });
});

describe('the package', () => {
  test('contains its exports and no sources', async () => {
    const installed = join(project.folder, 'node_modules/@frontdesk/client');
    expect((await readdir(installed)).toSorted()).toEqual(['README.md', 'dist', 'package.json']);
    const files = await readdir(join(installed, 'dist'), { recursive: true });
    const endings = new Set(files.map((name) => /\.d\.ts$|\.js$|$/.exec(name)?.[0]));
    expect(endings).toEqual(new Set(['.d.ts', '.js', '']));
    const used = files
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFile(join(installed, 'dist', name), 'utf8'));
    expect((await Promise.all(used)).join('')).not.toMatch(/from ['"][^.]|\brequire\(|\bBuffer\b/);
  });

  test('works in a plain JavaScript program', async () => {
    await project.write(
      'plain.js',
      `import { createClient } from '@frontdesk/client';
      const { FRONTDESK_URL: baseUrl, FRONTDESK_API_KEY: apiKey } = process.env;
      const frontdesk = createClient({ baseUrl, apiKey });
      const { id } = await frontdesk.tasks.create({ title: 'Call Ada' });
      console.log((await frontdesk.tasks.complete(id)).status);
      console.log((await frontdesk.tasks.delete(id)).deleted);`,
    );
    const { code, said } = await project.node('plain.js', variables);
    expect({ code, said }).toEqual({ code: 0, said: 'completed\ntrue\n' });
  });

  test.for(['nodenext', 'bundler'] as const)('has types for a strict program: %s', async (how) => {
    await project.write(
      'typed.ts',
      `import { createClient, type Client, type Contact, type WebhookEvent } from '@frontdesk/client';
      const frontdesk: Client = createClient({ baseUrl: 'http://localhost', apiKey: 'k' });
      export const found: Promise<Contact> = frontdesk.contacts.get('id', { timeoutMs: 1 });
      export const nameOf = (event: WebhookEvent<'contact.created'>): string | null =>
        event.data.firstName;
      // @ts-expect-error a name is text
      export const wrong = frontdesk.contacts.create({ firstName: 7, lastName: 'L' });`,
    );
    expect(await project.compile(how)).toEqual({ code: 0, said: '' });
  });

  test('is small, and a bundler drops unused parts', async () => {
    const bundled = async (name: string) => {
      const { outputFiles } = await build({
        stdin: {
          contents: `export { ${name} } from '@frontdesk/client';`,
          resolveDir: project.folder,
        },
        bundle: true,
        minify: true,
        format: 'esm',
        platform: 'browser',
        write: false,
      });
      return outputFiles[0]?.text ?? '';
    };
    const all = await bundled('createClient, createPublicClient, FrontdeskError, verifyWebhook');
    expect(gzipSync(all).length).toBeLessThan(GZIPPED_MAX);
    expect(await bundled('createPublicClient')).not.toContain('/api/v1');
    expect(await bundled('verifyWebhook')).not.toContain('/api/');
  });
});

describe('docs/sdk.md', () => {
  const examples = async (kind: string) => {
    const page = await readFile('docs/sdk.md', 'utf8');
    return [...page.matchAll(new RegExp(`\`\`\`ts ${kind}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
      ([, text = '']) => text,
    );
  };
  /** The output that the comment after a `console.log` promises. */
  const promised = (text: string): string =>
    [...text.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => `${line}\n`).join('');

  test('contains programs that run and print what they promise', async () => {
    const texts = await examples('run');
    expect(texts).toHaveLength(4);
    for (const [index, text] of texts.entries()) {
      await project.write(`example-${index}.ts`, text);
      const { code, said } = await project.node(`example-${index}.ts`, variables);
      expect({ code, said }).toEqual({ code: 0, said: promised(text) });
    }
  });

  test('contains a receiver that accepts genuine requests and answers 401 to others', async () => {
    const [receiver = ''] = await examples('receiver');
    await project.write('receiver.ts', receiver);
    const body =
      '{"event":"contact.created","timestamp":"t","data":{"firstName":"Ada","email":null}}';
    const at = String(Date.now());
    const signature = createHmac('sha256', 'whsec_new').update(`${at}.${body}`).digest('hex');
    const headers = {
      'x-webhook-timestamp': at,
      'x-webhook-signature-v2': `sha256=${signature}`,
      'x-webhook-event-id': 'e1',
    };
    const request = { method: 'POST', headers };
    await project.write(
      'receive.js',
      `import { receive } from './receiver.ts';
      for (const body of ${JSON.stringify([body, `${body} `])}) {
        const request = new Request('http://localhost/hook', { ...${JSON.stringify(request)}, body });
        const answer = await receive(request);
        console.log(answer.status, await answer.text());
      }`,
    );
    const secrets = { WEBHOOK_SECRET: 'whsec_old,whsec_new' };
    const { code, said } = await project.node('receive.js', secrets);
    expect({ code, said }).toEqual({
      code: 0,
      said: 'e1 Ada null\n204 \n401 INVALID_SIGNATURE\n',
    });
  });

  test('is typed as documented', async () => {
    for (const [index, text] of [
      ...(await examples('run')),
      ...(await examples('receiver')),
    ].entries()) {
      await project.write(`example-${index}.ts`, text);
    }
    expect(await project.compile('nodenext')).toEqual({ code: 0, said: '' });
  });
});
