import type { JobContext } from '#kit/job.ts';
import { handToBridge } from './hand-to-bridge.ts';
import { handToMailServer } from './hand-to-mail-server.ts';
import type { ChannelSetup } from './read-channel.ts';

/** What goes to a provider. */
export interface Outgoing {
  readonly id: string;
  readonly toAddress: string | null;
  readonly subject: string | null;
  readonly bodyText: string | null;
  readonly bodyHtml: string | null;
}

/** What came of it. `again` may go better later, `refused` never does. */
export type HandedOver =
  | { readonly result: 'taken'; readonly externalId: string }
  | (Failing & { readonly result: 'again' })
  | (Failing & {
      readonly result: 'refused';
      /** There is nobody at the address. */
      readonly isDeadAddress?: boolean;
    });

interface Failing {
  /** The provider's own where he gave one. */
  readonly errorCode: string;
  readonly errorMessage: string;
}

/** A provider, spoken to outside any transaction. Never rejects for what the other side does. */
export type Provider = (
  setup: ChannelSetup,
  message: Outgoing,
  /** Attempts count from 1. */
  context: Pick<JobContext, 'tools' | 'settings' | 'signal' | 'attempt'>,
) => Promise<HandedOver>;

/** Where there is no such provider, as in a release that was gone back to, that is the outcome. */
export const handOver: Provider = (setup, message, context) =>
  (PROVIDERS[setup.provider] ?? unknown)(setup, message, context);

const PROVIDERS: Readonly<Record<string, Provider>> = {
  http: handToBridge,
  smtp: handToMailServer,
};

const unknown: Provider = ({ provider }) =>
  Promise.resolve({
    result: 'refused',
    errorCode: 'unknown_provider',
    errorMessage: `there is no provider ${provider}`,
  });
