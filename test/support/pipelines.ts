import { apply } from './manifest.ts';
import type { TestService } from './service.ts';

export const SALES = {
  key: 'sales',
  name: 'Sales',
  stages: [
    { key: 'new', name: 'New', probability: 10 },
    { key: 'offer', name: 'Offer', probability: 50 },
    { key: 'won', name: 'Won', probability: 100 },
  ],
};

interface Sales {
  readonly pipelineId: string;
  readonly stages: Readonly<Record<'new' | 'offer' | 'won', string>>;
}

/** Returns the pipeline `sales` of the key's sub-account, and creates it if missing. */
export async function salesOf(service: TestService, key = 'full'): Promise<Sales> {
  const to = key === 'other' ? service.otherSubAccountId : service.subAccountId;
  const { ids } = await apply(service, { pipelines: [SALES] }, { to });
  const stage = (name: string) => ids['stages']?.[`sales/${name}`] ?? '';
  return {
    pipelineId: ids['pipelines']?.['sales'] ?? '',
    stages: { new: stage('new'), offer: stage('offer'), won: stage('won') },
  };
}

/** Applying a manifest without pipelines removes them. */
export const removePipelines = (service: TestService): Promise<unknown> =>
  apply(service, {}, { prune: true });

/** Creates a contact of the sub-account. */
export async function contactOf({ call }: TestService, key = 'full'): Promise<string> {
  const body = { firstName: 'Ada', lastName: 'Lovelace' };
  return (await call('POST /api/v1/contacts', { key, body })).body.data.id;
}

/**
 * Creates an opportunity in the first stage of `sales` with its contact, and discards their events.
 */
export async function dealOf(service: TestService, more: object = {}, key = 'full'): Promise<any> {
  const { pipelineId } = await salesOf(service, key);
  const contactId = await contactOf(service, key);
  const body = { name: 'Implant', pipelineId, contactId, ...more };
  const reply = await service.call('POST /api/v1/opportunities', { key, body });
  if (reply.status !== 201) {
    throw new Error(JSON.stringify(reply.body));
  }
  await service.events();
  return reply.body.data;
}
