import { Type } from 'typebox';
import { defineConsoleEndpoint, ownerAccess } from '#core/endpoint/console-endpoint.ts';
import * as s from '#core/schema/schema.ts';
import { version } from '#platform/process/version.ts';
import { waitingAttempts } from '../operations/installation-metrics.ts';
import { RANGES, readSamples, SERIES } from '../operations/samples/process-samples.ts';

const points = Type.Array(
  s.response({ at: Type.Integer({ description: 'in epoch milliseconds' }), value: Type.Number() }),
);

/** The state of the installation, for its owners. */
export const healthEndpoints = [
  defineConsoleEndpoint({
    id: 'health.get',
    method: 'GET',
    path: '/console/api/health',
    summary: 'Examine the installation',
    description:
      'The checks of `frontdesk doctor`, and what all processes did: by minute for the last 24 hours, or in steps of 10 minutes for the last week. Steps without a sample are left out.',
    access: ownerAccess,
    rate: 'read',
    query: s.request({ range: Type.Optional(s.oneOf(['day', 'week'])) }),
    data: s.response({
      version: Type.String({ description: 'of this server', examples: ['0.1.0'] }),
      checks: Type.Array(
        s.response({
          name: Type.String({ examples: ['backups'] }),
          status: s.oneOf(['ok', 'warn', 'fail']),
          message: Type.String(),
          fix: Type.Optional(Type.String({ description: 'what the operator can do' })),
        }),
      ),
      waitingDeliveries: s.nullable(
        Type.Integer({
          minimum: 0,
          description:
            'webhook deliveries that wait for their next attempt: they are no jobs of the queue. null while a node cannot be queried',
        }),
      ),
      series: s.response(
        Object.fromEntries(SERIES.map((name) => [name, points])) as Record<
          (typeof SERIES)[number],
          typeof points
        >,
      ),
    }),
    async read({ view, tools, query: { range = 'day' } }) {
      const [checks, series, waitingDeliveries] = await Promise.all([
        tools.examine(),
        readSamples(view, RANGES[range]),
        waitingAttempts(view),
      ]);
      return { data: { version: version(), checks, series, waitingDeliveries } };
    },
  }),
];
