import { smtp } from '../conversations/sending.support.ts';
import { inSandbox } from '../conversations/conversations.support.ts';
import { apply } from '../support/manifest.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, test } from '../support/service.ts';

const LINE = 'POST /console/api/v1/channels/email/test';

describe('the connection test of a channel', () => {
  test('is for admins', async ({ service }) => {
    const { call } = await signInAs(service, 'agent');
    expect((await call(LINE)).status).toBe(403);
  });

  test('needs a provider, and says why it cannot be reached', async ({ service }) => {
    const { call } = await signInAs(service, 'admin');
    expect((await call(LINE)).status).toBe(404);
    await apply(service, { channels: smtp(25) });
    const { status, body } = await call(LINE);
    expect([status, body.data]).toEqual([
      200,
      { connections: [{ part: 'sending', message: expect.stringContaining('not public') }] },
    ]);
  });

  test('is refused in a sandbox, which uses no provider', async ({ service }) => {
    const { call } = await signInAs(service, 'admin');
    await inSandbox(service);
    const { status, body } = await call(LINE);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});
