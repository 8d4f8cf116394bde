import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  startFollowing,
  startInstallation,
  type Installation,
} from '../../support/command-line.ts';
import { WAIT } from '../../support/deliveries.ts';
import { answering, sink } from '../sending.support.ts';

let folder: string;
let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation();
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-channels-'));
});
afterAll(async () => {
  await installation.close();
  await rm(folder, { recursive: true, force: true });
});

describe('channels of the installed program', () => {
  test('are applied from a file, reach the bridge, and are exported without secrets', async () => {
    const { admin, call, subAccountId, createContact, startWorker } = installation;
    const to = await sink();
    answering(to, ['{"externalId":"dm-1"}']);
    const file = join(folder, 'channels.yaml');
    const channel = `{provider: http, apiBaseUrl: "${to.url}/send", secret: swordfish}`;
    await writeFile(file, `channels:\n  social_dm: ${channel}\n`);
    const at = ['-f', file, '--sub-account', subAccountId];
    expect((await admin('apply', ...at)).code).toBe(0);
    expect((await admin('apply', ...at)).json).toMatchObject({ updated: [], unchanged: 1 });
    const exported = await admin('export', '--sub-account', subAccountId);
    expect(exported.json.channels).toEqual({
      social_dm: { provider: 'http', apiBaseUrl: `${to.url}/send` },
    });

    const contactId = await createContact();
    const body = { contactId, channel: 'social_dm' };
    const { id } = (await call('POST /api/v1/conversations', { body })).body.data;
    const path = `/api/v1/conversations/${id}/messages`;
    const message = { channel: 'social_dm', bodyText: 'Hello' };
    expect((await call(`POST ${path}`, { body: message })).status).toBe(201);
    const worker = await startWorker();
    onTestFinished(async () => void (await worker.end()));
    await vi.waitFor(async () => {
      const [sent] = (await call(`GET ${path}`)).body.data;
      expect(sent).toMatchObject({ status: 'sent', externalId: 'dm-1' });
    }, WAIT);
    expect(to.requests).toHaveLength(1);
  });

  test('a message that its provider does not accept is tried again, and the log says why', async () => {
    const { admin, call, subAccountId, createContact, variables } = installation;
    const to = await sink();
    answering(to, [503]);
    const file = join(folder, 'busy.yaml');
    const channel = `{provider: http, apiBaseUrl: "${to.url}/send", secret: swordfish}`;
    await writeFile(file, `channels:\n  social_dm: ${channel}\n`);
    expect((await admin('apply', '-f', file, '--sub-account', subAccountId)).code).toBe(0);
    const contactId = await createContact('Grace');
    const body = { contactId, channel: 'social_dm' };
    const { id } = (await call('POST /api/v1/conversations', { body })).body.data;
    const message = { channel: 'social_dm', bodyText: 'Hello' };
    const sent = await call(`POST /api/v1/conversations/${id}/messages`, { body: message });
    const { id: messageId } = sent.body.data;
    const logged = { ...variables, FRONTDESK_LOG: 'json', FRONTDESK_LOG_LEVEL: 'warn' };
    const worker = startFollowing(['worker', '--json'], logged);
    await worker.next(1);
    onTestFinished(async () => void (await worker.end()));
    await worker.complaint('message not accepted; trying again');
    const line = worker
      .stderr()
      .split('\n')
      .find((one) => one.includes('message not accepted'));
    expect(JSON.parse(line ?? '')).toMatchObject({
      level: 40,
      messageId,
      channel: 'social_dm',
      attempt: 1,
      errorCode: '503',
      retryInSeconds: 5,
    });
    const why = await admin(`why message --sub-account ${subAccountId} --id ${messageId}`);
    expect(why.json.reasons[0].sentence).toContain('The log of the worker has the error code');
  });

  test('why names the options that a question lacks', async () => {
    const { admin, subAccountId } = installation;
    const ran = await admin(`why trigger --sub-account ${subAccountId} --workflow leads`);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('why trigger needs --workflow and --event');
  });
});
