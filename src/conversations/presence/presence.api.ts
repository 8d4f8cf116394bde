import { Type } from 'typebox';
import { defineConsoleEndpoint, memberScope } from '#core/endpoint/console-endpoint.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { readConversation } from '../threads/conversation.store.ts';
import { findPresences, notePresence } from './presence.store.ts';

const participants = Type.Array(
  s.response({
    participant: Type.String({ description: 'the id of a user, or `visitor`' }),
    name: Type.String(),
    isTyping: Type.Boolean(),
    expiresAt: s.isoTime({ description: 'when the participant counts as gone' }),
  }),
);

const ofConversation = {
  params: s.request({ id: s.uuid() }),
  assertExists: (view: View, { id }: { readonly id: string }) => readConversation(view, id),
};

const PATH = '/console/api/v1/conversations/:id/presence';
const access = memberScope('conversations:read');

/** Endpoints for the presence of users in a conversation. */
export const presenceEndpoints = [
  defineConsoleEndpoint({
    id: 'inbox.presence',
    method: 'GET',
    path: PATH,
    summary: 'List the other participants of a conversation',
    description: 'The stream of changes sends `{topic: "presence", id}` when it may differ.',
    access,
    rate: 'read',
    ...ofConversation,
    data: participants,
    async read({ view, params: { id }, caller: { user } }) {
      await readConversation(view, id);
      return findPresences(view, id, user.id);
    },
  }),

  defineConsoleEndpoint({
    id: 'inbox.be-present',
    method: 'POST',
    path: PATH,
    summary: 'Tell others that the user looks at a conversation or types in it',
    description:
      'Repeat `viewing` every 20 seconds, and `typing` every 5 seconds while the user types. Returns the other participants. The visitor of a chat sees that the team types.',
    access,
    rate: 'write',
    ...ofConversation,
    body: s.request({ state: s.oneOf(['viewing', 'typing', 'left']) }),
    data: participants,
    async write({ work, params: { id }, body: { state }, caller: { user } }) {
      await readConversation(work, id);
      notePresence(work, id, { participant: user.id, name: user.name ?? user.email }, state);
      return { data: async (view: View) => (await findPresences(view, id, user.id)).data };
    },
  }),
];
