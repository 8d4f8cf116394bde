import { dealEndpoint } from '../agents/agent-deals.api.ts';
import { messageEndpoint } from '../agents/agent-messages.api.ts';
import { catalogueOf, type Catalogue } from '../agents/tools/catalogue.ts';
import { endpoints } from './endpoints.ts';

let derived: Catalogue | undefined;

/** Returns the tools of agents, derived from the endpoints when they are first needed. */
export const agentCatalogue = (): Catalogue =>
  (derived ??= catalogueOf(endpoints, [messageEndpoint, dealEndpoint]));
