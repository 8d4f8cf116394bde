import { onTestFinished, vi } from 'vitest';
import { Fault } from '#core/fault.ts';
import { began, setUpChat, visit } from '../chat/chat.support.ts';
import { FIELDS, upload as uploadToForm } from '../forms/form-files.support.ts';
import { setUpForm } from '../forms/forms.support.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { storedContents, uploaded, uploadToChat } from './files.support.ts';

async function chat(service: TestService): Promise<string> {
  await setUpChat(service);
  return began(service);
}

const say = (service: TestService, sessionId: string, body: object) =>
  visit(service, 'POST /api/chat/message', { sessionId, message: '', ...body });

async function idsOf({ database, subAccountId }: TestService): Promise<Set<string>> {
  const stored = 'select id from files where sub_account_id = $1';
  const rows = await database.rows<{ id: string }>(stored, [subAccountId]);
  return new Set(rows.map(({ id }) => id));
}

describe('a visitor', () => {
  test('stores nothing of an eleventh file', async ({ service }) => {
    const sessionId = await chat(service);
    for (let count = 0; count < 10; count += 1) {
      await uploadToChat(service, sessionId);
    }
    const before = (await storedContents(service)).length;
    expect((await uploadToChat(service, sessionId)).status).toBe(429);
    expect((await storedContents(service)).length).toBe(before);
  });

  test('and others share 1 GiB of waiting files per sub-account: beyond that, the oldest are deleted', async ({
    service,
  }) => {
    const [first, second] = [await chat(service), await began(service, { visitorName: 'Eve' })];
    const sent = (await uploadToChat(service, first)).body.data.id;
    await say(service, first, { attachmentIds: [sent] });
    const ofTeam = await uploaded(service);
    const oldest = (await uploadToChat(service, first)).body.data.id;
    await service.database.rows(
      'update files set size = 600 * 1024 * 1024 where sub_account_id = $1',
      [service.subAccountId],
    );
    const next = (await uploadToChat(service, second)).body.data.id;
    expect(await idsOf(service)).toEqual(new Set([sent, ofTeam, oldest, next]));
    await service.database.rows(
      'update files set size = 500 * 1024 * 1024 where sub_account_id = $1 and id = $2',
      [service.subAccountId, next],
    );
    const last = (await uploadToChat(service, second)).body.data.id;
    expect(await idsOf(service)).toEqual(new Set([sent, ofTeam, next, last]));
  });

  test('cannot upload while the disk is nearly full, but the team can', async ({ service }) => {
    const sessionId = await chat(service);
    const formId = await setUpForm(service, { fields: FIELDS });
    const full = new Fault('SERVICE_UNAVAILABLE', 'full', { reason: 'file_storage_full' });
    const { files } = service.tools;
    vi.spyOn(files, 'requireSpace').mockImplementation(async (_, uploader) => {
      if (uploader === 'visitor') {
        throw full;
      }
    });
    onTestFinished(() => void vi.restoreAllMocks());
    for (const refused of [
      await uploadToChat(service, sessionId),
      await uploadToForm(service, formId),
    ]) {
      expect([refused.status, refused.body.error.details.reason]).toEqual([
        503,
        'file_storage_full',
      ]);
    }
    expect(await storedContents(service)).toEqual([]);
    expect(await uploaded(service)).toBeTypeOf('string');
  });
});
