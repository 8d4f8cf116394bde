import type { Endpoint } from '#kit/endpoint.ts';
import { contactEndpoints } from '../contacts/contacts.api.ts';
import { subAccountEndpoints } from '../accounts/sub-accounts.api.ts';

/** Every route of the API, in the order of the specification. */
export const endpoints: readonly Endpoint[] = [...subAccountEndpoints, ...contactEndpoints];
