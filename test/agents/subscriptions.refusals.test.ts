import { describe, expect, test } from 'vitest';
import { callback, newSecret, startReceiver, startWithAgent } from './subscriptions.support.ts';

describe('events/subscribe refuses', () => {
  test.for([
    ['an unknown name', { name: 'contact.exploded' }, -32_011],
    ['a name outside the scopes', { name: 'task.created' }, -32_012],
    ['a private address', { delivery: { url: 'https://10.0.0.1/hook' } }, -32_602],
    ['a public address without TLS', { delivery: { url: 'http://93.184.216.34/' } }, -32_602],
    ['a short secret', { delivery: { secret: newSecret(23) } }, -32_602],
    ['a long secret', { delivery: { secret: newSecret(65) } }, -32_602],
    ['a secret without its prefix', { delivery: { secret: 'a'.repeat(40) } }, -32_602],
    ['another way of delivery', { delivery: { mode: 'push' } }, -32_602],
    ['a broken cursor', { cursor: 'x' }, -32_602],
    ['unknown arguments', { arguments: { city: 'Berlin' } }, -32_602],
  ] as const)('%s', async ([, changes, code]) => {
    const { send, delivering } = await startWithAgent();
    const receiver = await startReceiver();
    const params = callback(receiver.url);
    const { delivery = {}, ...more } = changes as { delivery?: object };
    const given = { ...params, ...more, delivery: { ...params.delivery, ...delivery } };
    const { error } = await send('events/subscribe', given);
    expect(error).toMatchObject({ code });
    expect(receiver.requests).toEqual([]);
    expect(await delivering.database.rows('select 1 from webhook_subscriptions')).toEqual([]);
  });

  test.for([
    ['does not know the challenge', 200, '{"challenge":"no"}', 'challenge_failed'],
    ['returns no JSON', 200, 'ok', 'challenge_failed'],
    ['redirects', 302, '', 'challenge_failed'],
    ['is not found', 404, '', 'http_4xx'],
    ['fails', 503, '', 'http_5xx'],
  ] as const)('a callback that %s', async ([, status, text, reason]) => {
    const { send, delivering } = await startWithAgent();
    const receiver = await startReceiver();
    receiver.answer = (_, response) => void response.writeHead(status).end(text);
    const { error } = await send('events/subscribe', callback(receiver.url));
    expect(error).toMatchObject({ code: -32_015, data: { reason } });
    expect(JSON.stringify(error)).not.toContain(text === '' ? 'Location' : `"${text}"`);
    expect(await delivering.database.rows('select 1 from webhook_subscriptions')).toEqual([]);
  });

  test('a callback that cannot be reached', async () => {
    const { send } = await startWithAgent();
    const { error } = await send('events/subscribe', callback('https://127.0.0.1:1/hook'));
    expect(error).toMatchObject({ code: -32_015, data: { reason: 'connection_refused' } });
  });

  test('more than 100, apart from the webhooks of the API', async () => {
    const { send, delivering, subAccountId } = await startWithAgent();
    const receiver = await startReceiver();
    await delivering.database.rows(
      `insert into webhook_subscriptions (sub_account_id, id, url, events, status, secret, position,
         created_at, updated_at, key_id, handle)
       select $1, gen_random_uuid(), 'https://a.example', '{contact.created}', 'active', '', 0,
         now(), now(), gen_random_uuid(), n::text from generate_series(1, 100) as n`,
      [subAccountId],
    );
    const { error } = await send('events/subscribe', callback(receiver.url));
    expect(error).toMatchObject({ code: -32_013, data: { limit: 'subscriptions', max: 100 } });
  });
});
