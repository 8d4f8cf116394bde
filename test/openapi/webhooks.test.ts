import { describe, expect, test } from 'vitest';
import { issuesOf } from '#core/schema/check.ts';
import { exampleOf } from '#core/schema/example.ts';
import { events, webhookEventNames } from '#registry/events.ts';
import { startSink } from '../support/https-sink.ts';
import { SECRET, startDelivering } from '../support/deliveries.ts';
import { DOCUMENT, INLINED } from '../support/openapi.ts';
import { verifyWebhook } from '../../sdk/src/main.ts';

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: object;
}

describe('webhooks', () => {
  test('lists every event, with a payload of its own', () => {
    expect(Object.keys(DOCUMENT.webhooks)).toEqual(webhookEventNames);
    const payloads = Object.values<any>(DOCUMENT.webhooks).map(
      ({ post }) => post.requestBody.content['application/json'].schema.$ref,
    );
    expect(new Set(payloads).size).toBe(webhookEventNames.length);
  });

  test.for(events.map((event) => [event.name, event] as const))(
    'shows a valid example of %s with the fields of its declaration',
    ([name, { data }]) => {
      const { schema, example } =
        INLINED.webhooks[name].post.requestBody.content['application/json'];
      expect(issuesOf(schema, structuredClone(example))).toEqual([]);
      expect(example.event).toBe(name);
      const own = Object.keys(exampleOf(data) as object);
      expect(Object.keys(example.data)).toEqual(expect.arrayContaining(own));
    },
  );

  test('describes the headers and the body of a real delivery', async () => {
    const sink = await startSink();
    const service = await startDelivering();
    const { subAccount, subscribe, createContacts, startWorker } = service;
    const id = await subAccount();
    await subscribe(id, sink.url);
    await createContacts(id, 1);
    await startWorker();
    const [delivery] = await sink.next(1);
    const { parameters, requestBody } = INLINED.webhooks['contact.created'].post;
    for (const { name, required, schema } of parameters as Parameter[]) {
      const value = delivery?.headers[name.toLowerCase()];
      expect([name, value !== undefined]).toEqual([name, required]);
      expect([name, value === undefined ? [] : issuesOf(schema, value)]).toEqual([name, []]);
    }
    const documented = (parameters as Parameter[]).map(({ name }) => name.toLowerCase());
    const sent = Object.keys(delivery?.headers ?? {}).filter((name) => name.includes('webhook'));
    expect(documented).toEqual(expect.arrayContaining(sent));
    const { body, headers } = delivery!;
    const { schema } = requestBody.content['application/json'];
    expect(issuesOf(schema, JSON.parse(body.toString()))).toEqual([]);
    await verifyWebhook({ body, headers, secret: SECRET });
    await sink.close();
  });
});
