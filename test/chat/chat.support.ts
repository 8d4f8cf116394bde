import { apply } from '../support/manifest.ts';
import { caller, expect, type Answer, type TestService } from '../support/service.ts';

/** Configures the chat as a manifest does, and waits until the server has noticed. */
export async function setUpChat(
  service: TestService,
  chat: object = {},
  to = service.subAccountId,
): Promise<void> {
  await apply(service, { chat }, { to });
}

/** Calls without a key, like a visitor's browser. */
export const visit = (
  { call }: Pick<TestService, 'call'>,
  line: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> => call(line, { key: null, ...(body && { body }), ...(headers && { headers }) });

export const GRACE = { visitorName: 'Grace Hopper', visitorEmail: 'grace@example.com' };

export const began = async (service: TestService, visitor: object = GRACE): Promise<string> => {
  const body = { subAccountId: service.subAccountId, ...visitor };
  const answer = await visit(service, 'POST /api/chat/session', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data.sessionId;
};

export async function said(service: TestService, sessionId: string, message: string): Promise<any> {
  const answer = await visit(service, 'POST /api/chat/message', { sessionId, message });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

export async function seen(
  service: TestService,
  sessionId: string,
  after?: string,
): Promise<any[]> {
  const query = new URLSearchParams({ sessionId, ...(after !== undefined && { after }) });
  const answer = await visit(service, `GET /api/chat/messages?${query.toString()}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}

/** Returns the live chats of the sub-account, newest first. */
export const chatsOf = async ({ call }: TestService): Promise<any[]> =>
  (await call('GET /api/v1/conversations?channel=live_chat')).body.data;

export async function replied(
  { call, keys }: Pick<TestService, 'call' | 'keys'>,
  conversationId: string,
  bodyText: string,
  url?: string,
): Promise<any> {
  const body = { channel: 'live_chat', bodyText };
  const ask = url === undefined ? call : caller(url, keys);
  const answer = await ask(`POST /api/v1/conversations/${conversationId}/messages`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

export const textsIn = (rows: readonly { readonly bodyText: string }[]): string[] =>
  rows.map(({ bodyText }) => bodyText);
