import { Type, type TObject, type TSchema } from 'typebox';
import type { EventType } from '#core/event.ts';
import { exampleOf } from '#core/schema/example.ts';
import * as s from '#core/schema/schema.ts';
import type { Components } from './components.ts';
import { pascalCase } from './names.ts';
import { tellingExample } from './telling-example.ts';

/** The headers of a delivery, by name. */
export type DeliveryHeaders = Readonly<
  Record<
    string,
    { readonly description: string; readonly schema: TSchema; readonly required: boolean }
  >
>;

interface WebhookContext {
  readonly components: Components;
  /** The members that the data of every event has. */
  readonly common: TSchema;
  readonly deliveryHeaders: DeliveryHeaders;
}

/** Returns the request that a subscription to the event receives. */
export function webhookOf(
  { name, summary, data }: EventType,
  { components, common, deliveryHeaders }: WebhookContext,
): object {
  const schema = eventSchema(name, data, common as TObject);
  return {
    operationId: `webhook.${name}`,
    tags: ['webhooks'],
    summary: `Receive ${name}`,
    description: `Fires when: ${summary}.\n\nSent to every active subscription to \`${name}\`. Verify the signature before you read the body, and use \`webhook-id\` to recognise repeats.`,
    security: [],
    parameters: Object.entries(deliveryHeaders).map(([header, one]) => ({
      name: header,
      in: 'header',
      ...one,
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: components.place(schema, `${pascalCase(name)}Event`),
          example: tellingExample(exampleOf(schema)),
        },
      },
    },
    responses: {
      '2XX': { description: 'received; any other status, or none within 15 seconds, is retried' },
      '410': { description: 'disables the subscription at once' },
    },
  };
}

function eventSchema(name: string, data: TObject, common: TObject): TObject {
  const { properties: shared } = common;
  return Type.Object({
    event: Type.Literal(name),
    timestamp: s.isoTime({ description: 'when it happened' }),
    data: Type.Object({ ...shared, ...data.properties }, { additionalProperties: true }),
  });
}
