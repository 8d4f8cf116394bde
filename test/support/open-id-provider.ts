import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** It has no types. */
const PACKAGE: string = 'oidc-provider';
const CLIENT_ID = 'frontdesk';
const CLIENT_SECRET = 'a secret with : and spaces, of at least 32 characters';

interface ProviderOptions {
  /** How the client is registered to send its secret. */
  readonly authMethod?: 'client_secret_basic' | 'client_secret_post';
}

/**
 * Starts a real OpenID provider on loopback. The person at its sign-in page is always `ada`, whose claims
 * a test changes.
 */
export async function openIdProvider({ authMethod = 'client_secret_basic' }: ProviderOptions = {}) {
  const claims: Record<string, unknown> = {
    email: 'ada@example.com',
    email_verified: true,
    name: 'Ada Lovelace',
  };
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { Provider } = await import(PACKAGE);
  let provider: any;
  let state: 'up' | 'failing' | 'denying' = 'up';
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (state === 'failing') {
      response.writeHead(503).end('down');
    } else if (request.url?.startsWith('/interaction/')) {
      const result =
        state === 'denying' ? { error: 'access_denied' } : { login: { accountId: 'ada' } };
      void provider.interactionFinished(request, response, result, {
        mergeWithLastSubmission: false,
      });
    } else {
      provider.callback()(request, response);
    }
  });
  return {
    claims,
    variables: {
      oidcIssuer: issuer,
      oidcClientId: CLIENT_ID,
      oidcClientSecret: CLIENT_SECRET,
    },
    /** Accepts callbacks at this server. */
    register(baseUrl: string) {
      const callback = `${baseUrl}/console/oidc/callback`;
      provider = new Provider(issuer, settingsOf(claims, callback, authMethod));
    },
    behave: (next: typeof state) => {
      state = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function settingsOf(claims: object, callback: string, authMethod: string) {
  const client = {
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    token_endpoint_auth_method: authMethod,
    grant_types: ['authorization_code'],
    response_types: ['code'],
    redirect_uris: [callback],
  };
  return {
    clients: [client],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...claims }),
    }),
    async loadExistingGrant({ oidc }: any) {
      const grant = new oidc.provider.Grant({
        clientId: CLIENT_ID,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope('openid email profile groups');
      await grant.save();
      return grant;
    },
  };
}

export interface VisitOptions {
  /** Called with each address before it is opened; a returned address is opened instead. */
  readonly onRequest?: (url: string) => string | undefined;
}

/** A browser with cookies per host, which follows redirects until a page has none. */
export function visitor() {
  const jar = new Map<string, Map<string, string>>();
  const cookiesOf = (url: string) => {
    const { host } = new URL(url);
    const found = jar.get(host) ?? new Map<string, string>();
    jar.set(host, found);
    return found;
  };
  const open = async (url: string): Promise<Response> => {
    const cookies = cookiesOf(url);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  };
  const visit = async (start: string, { onRequest }: VisitOptions = {}) => {
    const opened: string[] = [];
    let url = start;
    for (;;) {
      const changed = onRequest?.(url) ?? url;
      opened.push(changed);
      const response = await open(changed);
      const location = response.headers.get('location');
      await response.arrayBuffer();
      if (location === null) {
        return { url: changed, status: response.status, opened };
      }
      url = new URL(location, changed).href;
    }
  };
  return { visit, open, cookiesOf };
}
