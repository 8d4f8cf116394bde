import { defineKeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import { Type } from 'typebox';
import { request, uuid } from '#core/schema/schema.ts';

export const subAccountEndpoints = [
  defineKeyedEndpoint({
    id: 'sub-accounts.list',
    method: 'GET',
    path: '/api/v1/sub-accounts',
    summary: 'List the sub-accounts that an agency key can access',
    description:
      'Newest first. Live keys list live sub-accounts, test keys list sandbox sub-accounts.',
    access: { kind: 'agency' },
    rate: 'read',
    data: Type.Array(request({ id: uuid(), name: Type.String() })),
    async read({ view, caller }) {
      const data = await view.rows<{ id: string; name: string }>(LIST, [caller.sandbox]);
      return { data };
    },
  }),
];

const LIST = `select id, name from sub_accounts
  where sandbox = $1 and deleted_at is null order by created_at desc, id desc`;
