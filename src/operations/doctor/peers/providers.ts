import { counted } from '#lib/counted.ts';
import { AGENCY } from '#lib/id.ts';
import { notPublic, readAllowList, usableAddresses } from '#platform/outbound/guard.ts';
import { findAddresses, systemLookup } from '#platform/outbound/lookup.ts';
import { fail, ok, warn, type Check, type Examined } from '../check.ts';
import { probeMailServer } from './mail.ts';

const AT_ONCE = 10;
/** The most servers to check, on a large installation. */
const SERVERS_MAX = 100;

/**
 * Checks whether mail servers accept the login of their channel, and whether the servers of other providers
 * can be reached: any response of those counts.
 */
export const providers: Check = {
  name: 'providers',
  async examine(examined) {
    const servers = await examined.rows<Server>(SERVERS, [SERVERS_MAX]);
    const failures: string[] = [];
    const left = [...servers];
    const places = Array.from({ length: AT_ONCE }, async () => {
      for (let server = left.shift(); server; server = left.shift()) {
        const failure = await failureOf(server, examined);
        failures.push(...(failure === undefined ? [] : [`${nameOf(server)}: ${failure}`]));
      }
    });
    await Promise.all(places);
    if (failures.length > 0) {
      return fail(failures.sort().join('; '), FIX);
    }
    const reachable = `${counted(servers.length, 'server')} reachable`;
    const logins = examined.probeSending ? [] : servers.filter(({ hasLogin }) => hasLogin);
    if (logins.length > 0) {
      return warn(
        `${reachable}; ${counted(logins.length, 'login')} not checked: passwords are encrypted`,
        'set the FRONTDESK_SECRET_KEY of this database',
      );
    }
    return ok(servers.length === 0 ? 'none in use' : reachable);
  },
};

const FIX =
  'fix the channel in the manifest, or the network route to the provider; add a server in your own network to FRONTDESK_OUTBOUND_ALLOW, for the server and wherever you run frontdesk doctor';

interface Server {
  readonly provider: string;
  readonly url: string | null;
  readonly host: string | null;
  readonly port: number | null;
  readonly secure: boolean | null;
  /** The sub-account of a mail server: each has a login of its own. */
  readonly subAccountId: string | null;
  readonly name: string | null;
  readonly hasLogin: boolean;
}

/** The addresses of providers, unless the channel has another one. */
const DEFAULTS: Readonly<Record<string, string>> = {
  twilio: 'https://api.twilio.com',
  meta: 'https://graph.facebook.com',
  gmail: 'https://gmail.googleapis.com',
};

const urlOf = ({ provider, url }: Server): string | undefined => url ?? DEFAULTS[provider];

const nameOf = (server: Server): string =>
  `${server.provider} at ${server.host ?? urlOf(server) ?? 'an unknown address'}${server.name === null ? '' : ` (${server.name})`}`;

const TIMEOUT_MS = 5_000;
const READ_MAX_BYTES = 1_024;

async function failureOf(server: Server, examined: Examined): Promise<string | undefined> {
  if (server.host !== null && server.subAccountId !== null) {
    return examined.probeSending
      ? examined.probeSending(server.subAccountId)
      : unreachable({ ...server, host: server.host }, examined);
  }
  const url = urlOf(server);
  if (url === undefined) {
    return 'has no address';
  }
  const answer = await examined.outbound.send({
    subAccountId: AGENCY,
    url,
    method: 'GET',
    isRepeatable: true,
    headers: {},
    timeoutMs: TIMEOUT_MS,
    readMaxBytes: READ_MAX_BYTES,
  });
  return 'failure' in answer ? answer.failure : undefined;
}

/**
 * Connects without a login, for which the secret key is missing. Follows the rules for messages: private
 * addresses are only reached if they are allowed.
 */
async function unreachable(
  { host, port, secure }: Server & { readonly host: string },
  { outboundAllow }: Examined,
): Promise<string | undefined> {
  const addresses = await findAddresses(host, systemLookup);
  if (addresses.length === 0) {
    return 'the name does not resolve';
  }
  const [usable] = usableAddresses(addresses, readAllowList(outboundAllow));
  return usable
    ? probeMailServer({
        host: usable.address,
        ...(port !== null && { port }),
        secure: secure ?? false,
        tls: { servername: host },
      })
    : notPublic(host);
}

/** Without sandboxes, which send nothing. */
const SERVERS = `
  select distinct c.provider, c.settings ->> 'apiBaseUrl' as url, c.settings ->> 'host' as host,
    (c.settings ->> 'port')::int as port, (c.settings ->> 'secure')::boolean as secure,
    case when c.provider = 'smtp' then s.id end as "subAccountId",
    case when c.provider = 'smtp' then s.name end as name,
    c.provider = 'smtp' and c.settings ->> 'user' is not null as "hasLogin"
  from channels c
  join sub_accounts s on s.id = c.sub_account_id and s.deleted_at is null and not s.sandbox
  limit $1`;
