import { describe } from 'vitest';
import type { TSchema } from 'typebox';
import { issuesOf } from '#core/schema/check.ts';
import { exampleId } from '#core/schema/example.ts';
import { takesFile } from '#core/endpoint/file-body.ts';
import { endpoints } from '#registry/endpoints.ts';
import { PNG } from '../files/files.support.ts';
import { INLINED } from '../support/openapi.ts';
import { expect, test as base, type CallOptions, type TestService } from '../support/service.ts';
import { recordedResponse } from './recorded.support.ts';
import { NOW, seed, type Seeded } from './seeded.support.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly example?: string | number;
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Record<string, { examples?: Record<string, { value: object }> }>;
  };
  readonly responses: Record<string, { content?: Record<string, { schema: TSchema }> }>;
}

interface Request {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly body?: object;
}

/** Reads leave the records of the file as they are; every other request gets records of its own. */
const test = base.extend<{ sharedSeed: Seeded }>({
  sharedSeed: [
    async ({ shared }, use) => {
      await use(await seed(shared));
    },
    { scope: 'file' },
  ],
});

const kinds = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));

/** A stream has no end, and a challenge is signed by its query. */
const isSent = ({ operationId }: Operation): boolean =>
  kinds.get(operationId)?.kind !== 'stream' && !operationId.endsWith('.challenge');

const REQUESTS: readonly Request[] = Object.entries<Record<string, Operation>>(
  INLINED.paths,
).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, operation]) => isSent(operation))
    .flatMap(([method, operation]) => {
      const { operationId: title, requestBody } = operation;
      const request = { title, method: method.toUpperCase(), path, operation };
      const examples = Object.entries(requestBody?.content['application/json']?.examples ?? {});
      return examples.length === 0
        ? [request]
        : examples.map(([name, { value: body }]) => ({
            ...request,
            title: `${title}, ${name}`,
            body,
          }));
    }),
);

const CONTACT = exampleId('contactId');
const RECORDED = new Map<string, Record<number, unknown>>();

describe('the examples of the document', () => {
  test.for(REQUESTS.map((request) => [request.title, request] as const))(
    '%s is accepted as it stands, but for the ids, and answered as documented',
    async ([, request], { service: own, shared, sharedSeed }) => {
      const isRead = request.method === 'GET';
      const service = isRead ? shared : own;
      const seeded = isRead ? sharedSeed : await seed(service, request.body);
      const { line, options } = callOf(request, seeded, service);
      const { status, body } = await service.call(line, options);
      const { content } = request.operation.responses[status] ?? {};
      expect([status, body], JSON.stringify(body)).toEqual([status < 300 ? status : 200, body]);
      const { schema } = content?.['application/json'] ?? {};
      const isContent = content !== undefined && '*/*' in content;
      expect(schema ? issuesOf(schema, body) : isContent).toEqual(schema ? [] : true);
      const keep = (answer: { readonly status: number; readonly body: object }) =>
        record(request.operation, answer, { ...service, ...seeded });
      keep({ status, body });
      if ('200' in request.operation.responses && '201' in request.operation.responses) {
        keep(await again(service, seeded, { line, options }));
      }
    },
  );

  test('of responses are what a server answers; `vitest -u` writes them', async () => {
    const responses = Object.fromEntries([...RECORDED].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const text = `${JSON.stringify(responses, undefined, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../../src/registry/response-examples.json');
  });
});

/** Repeats a call that answers differently then: the record exists, or the contact has opted out. */
async function again(
  { call }: TestService,
  { own }: Seeded,
  { line, options }: { readonly line: string; readonly options: CallOptions },
) {
  const body = { dnd: { sms: true, email: true } };
  expect((await call(own(`PATCH /api/v1/contacts/${CONTACT}`), { body })).status).toBe(200);
  return call(line, options);
}

function record(
  { operationId, responses }: Operation,
  { status, body }: { readonly status: number; readonly body: object },
  service: TestService & Seeded,
) {
  if (responses[status]?.content?.['application/json']) {
    const shown = operationId === 'sub-accounts.list' ? withoutOtherTests(body, service) : body;
    const example = recordedResponse(shown, { operationId, startedAt: NOW, ...service });
    RECORDED.set(operationId, { [status]: example, ...RECORDED.get(operationId) });
  }
}

/** The tests of the file share a server, and an agency key lists the sub-accounts of all. */
function withoutOtherTests(body: object, { subAccountId, otherSubAccountId }: TestService): object {
  const { data = [] }: { readonly data?: readonly { readonly id: string }[] } = body;
  return { data: data.filter(({ id }) => id === subAccountId || id === otherSubAccountId) };
}

function callOf({ method, path, operation, body }: Request, seeded: Seeded, { keys }: TestService) {
  const { operationId, parameters } = operation;
  const query = new URLSearchParams();
  let place = path;
  for (const { name, in: part, example } of parameters) {
    if (part === 'path') {
      place = place.replace(`{${name}}`, String(example));
    } else if (example !== undefined) {
      query.set(name, String(example));
    }
  }
  const text = query.toString();
  const line = seeded.own(`${method} ${place}${text && '?'}${text}`);
  const endpoint = kinds.get(operationId);
  const isUpload = endpoint !== undefined && takesFile(endpoint);
  const raw = isUpload ? PNG : body && seeded.own(JSON.stringify(body));
  const isAgency = endpoint?.kind === 'keyed' && endpoint.access.kind === 'agency';
  const options: CallOptions = {
    key: endpoint?.kind === 'keyed' ? (isAgency ? keys.agency : keys.full) : null,
    ...(raw !== undefined && { raw }),
    ...(endpoint?.kind === 'signed' && {
      headers: seeded.signature(operationId, String(raw ?? '')),
    }),
  };
  return { line, options };
}
