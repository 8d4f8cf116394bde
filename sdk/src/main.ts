/** The public API of the package; other files are internal. */
export { createClient, type Client, type ClientOptions } from './create-client.ts';
export {
  createPublicClient,
  type PublicClient,
  type PublicClientOptions,
} from './create-client.ts';
export type { Answer } from './api.ts';
export type { CallOptions } from './options.ts';
export { FrontdeskError, type ErrorCode, type Issue } from './error.ts';
export type { Paged } from './iterate.ts';
export { verifyWebhook, type Delivery } from './verify-webhook.ts';
export type { AnyEvent, WebhookEvent } from './webhook-event.ts';
export { EVENT_NAMES } from './generated/event-fields.ts';
export type * from './generated/types.ts';
