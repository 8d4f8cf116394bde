import { Type } from 'typebox';
import { defineConsoleEndpoint, memberRole } from '#core/endpoint/console-endpoint.ts';
import { Fault, notFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import { CHANNELS } from '../contacts/channels.ts';
import { carrierOf } from '../conversations/channels/channel.store.ts';
import { testConnection } from '../conversations/channels/test-connection.ts';

/** The channels of a sub-account, which the manifest configures. */
export const channelEndpoints = [
  defineConsoleEndpoint({
    id: 'channels.test',
    method: 'POST',
    path: '/console/api/v1/channels/:channel/test',
    summary: 'Test the connection of a channel',
    description:
      'Connects to the provider with the stored account, and to the mailbox that replies are fetched from. Nothing is sent to a contact. For the provider `http`, any response of the bridge counts. A test counts as ten requests. Errors: `NOT_FOUND` for a channel without a provider, `VALIDATION_ERROR` in a sandbox, which uses no provider.',
    access: memberRole('admin'),
    rate: 'read',
    // It opens connections to servers that the sub-account names.
    cost: () => 10,
    params: s.request({ channel: s.oneOf(CHANNELS) }),
    data: s.response({
      connections: Type.Array(
        s.response({
          part: s.oneOf(['sending', 'receiving']),
          message: s.nullable(
            Type.String({
              description: 'why the test failed; null if it did not',
              examples: ['Invalid login: 535 authentication failed'],
            }),
          ),
        }),
      ),
    }),
    async read({ view, params: { channel }, tools }) {
      if ((await carrierOf(view, channel)) === 'sandbox') {
        throw new Fault('VALIDATION_ERROR', 'a sandbox captures messages and uses no provider');
      }
      const connections = await testConnection(view, channel, tools);
      if (!connections) {
        throw notFound('channel');
      }
      return { data: { connections } };
    },
  }),
];
