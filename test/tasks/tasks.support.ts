import { newId } from '#lib/id.ts';
import { expect, type TestService } from '../support/service.ts';

/** Creates a task by the API and discards its events. */
async function made(service: TestService, path: string, body: object, key: string): Promise<any> {
  const reply = await service.call(`POST ${path}`, { body, key });
  expect(reply.status).toBe(201);
  await service.events();
  return reply.body.data;
}

export const newTask = (service: TestService, body: object = {}, key = 'full'): Promise<any> =>
  made(service, '/api/v1/tasks', { title: 'Call Ada back', ...body }, key);

export async function newContact(
  service: TestService,
  body: object = {},
  key = 'full',
): Promise<string> {
  const ada = { firstName: 'Ada', lastName: 'Lovelace', ...body };
  return (await made(service, '/api/v1/contacts', ada, key)).id;
}

export async function newMember(
  { database, subAccountId }: TestService,
  key: string,
  owner = subAccountId,
): Promise<string> {
  const id = newId(new Date());
  await database.rows(
    `insert into team_members (sub_account_id, id, key, name, created_at, updated_at)
     values ($1, $2, $3, $3, now(), now())`,
    [owner, id, key],
  );
  return id;
}

/** Inserts a deal in its own pipeline by SQL. */
export async function newDeal(
  { database, subAccountId }: TestService,
  contactId: string,
  owner = subAccountId,
): Promise<string> {
  const [id, pipelineId, stageId] = [1, 2, 3].map(() => newId(new Date()));
  await database.rows(
    `with pipeline as (
       insert into pipelines (sub_account_id, id, key, name, position, created_at, updated_at)
       values ($1, $3, $3::uuid::text, 'Sales', 0, now(), now())
     ), stage as (
       insert into pipeline_stages (sub_account_id, id, pipeline_id, key, name, position,
         probability, created_at, updated_at)
       values ($1, $4, $3, 'new', 'New', 0, 10, now(), now())
     )
     insert into opportunities (sub_account_id, id, pipeline_id, stage_id, contact_id, name,
       currency, status, created_at, updated_at)
     values ($1, $2, $3, $4, $5, 'Implant', 'EUR', 'open', now(), now())`,
    [owner, id, pipelineId, stageId, contactId],
  );
  return id as string;
}

export const taskOf = async ({ call }: TestService, id: string): Promise<any> =>
  (await call(`GET /api/v1/tasks/${id}`)).body.data;

/** Returns ids that a body must not name: deleted, foreign, unknown. */
export async function deadContacts(service: TestService): Promise<string[]> {
  const deleted = await newContact(service);
  await service.call(`DELETE /api/v1/contacts/${deleted}`);
  return [deleted, await newContact(service, {}, 'other'), newId(new Date())];
}

export async function deadDeals(service: TestService): Promise<string[]> {
  const deleted = await newDeal(service, await newContact(service));
  await service.database.rows('update opportunities set deleted_at = now() where id = $1', [
    deleted,
  ]);
  const foreigner = await newContact(service, {}, 'other');
  return [deleted, await newDeal(service, foreigner, service.otherSubAccountId), newId(new Date())];
}
