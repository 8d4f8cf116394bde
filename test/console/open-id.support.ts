import { onTestFinished } from 'vitest';
import { readClaimRoles } from '#core/open-id.ts';
import { openIdProvider, visitor } from '../support/open-id-provider.ts';
import { openServer } from '../support/server.ts';
import type { TestService } from '../support/service.ts';

type ProviderInput = Parameters<typeof openIdProvider>[0] & { readonly roles?: string };

/** A server that signs in at a provider of its own, and a browser. */
export async function opened(service: TestService, { roles, ...options }: ProviderInput = {}) {
  const provider = await openIdProvider(options);
  onTestFinished(provider.stop);
  const oidcRoles = roles === undefined ? undefined : readClaimRoles(roles);
  const server = await openServer({
    databaseUrl: service.databaseUrl,
    clock: service.clock,
    network: { ...provider.variables, oidcRoles },
  });
  onTestFinished(server.stop);
  provider.register(server.url);
  const browser = visitor();
  const email = `ada-${crypto.randomUUID()}@example.com`;
  provider.claims['email'] = email;
  const session = async () => {
    const response = await browser.open(`${server.url}/console/api/session`);
    return { status: response.status, body: (await response.json()) as any };
  };
  const signIn = () => browser.visit(`${server.url}/console/oidc/start`);
  return { provider, server, browser, email, session, signIn };
}
