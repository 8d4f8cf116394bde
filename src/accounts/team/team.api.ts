import { Type } from 'typebox';
import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import * as s from '#core/schema/schema.ts';

export const teamEndpoints = [
  defineKeyedEndpoint({
    id: 'team.list',
    method: 'GET',
    path: '/api/v1/team',
    summary: 'List the team members',
    description:
      'Sorted by name. `id` is what `assignedTo` of contacts, tasks, opportunities and appointments refers to; `key` is the key of the manifest.',
    access: scope('contacts:read'),
    rate: 'read',
    data: Type.Array(
      s.response({
        id: s.uuid(),
        key: Type.String({ examples: ['ada'] }),
        name: Type.String({ examples: ['Dr. Ada Byron'] }),
        email: s.nullable(Type.String({ examples: ['ada@example.com'] })),
      }),
    ),
    read: async ({ view }) => ({ data: await view.rows<object>(LIST, [view.subAccountId]) }),
  }),
];

const LIST = `select id, key, name, email from team_members
  where sub_account_id = $1 order by name, key`;
