import type { Scenario } from '../scenario.ts';
import { campaign } from '../scenarios/campaign.ts';
import { deliverWebhooks } from '../scenarios/deliver-webhooks.ts';
import { crudPeers } from './crud.ts';
import { directus } from './directus.ts';
import { senderPeers } from './senders.ts';

/** The peers that are measured beside the product; undici and nodemailer are baselines already. */
export const peers: readonly Scenario[] = [
  ...crudPeers,
  directus,
  ...senderPeers,
  deliverWebhooks,
  campaign,
];
