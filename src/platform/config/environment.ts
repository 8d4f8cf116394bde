import { isIP } from 'node:net';
import { isAbsolute, normalize } from 'node:path';
import { MINUTE_MS, parseDuration } from '#lib/duration.ts';
import { PUBLIC_DEFAULT, PUBLIC_LIMITS, readPublicRates, parseRate } from '#core/rate-limit.ts';
import { defineVariable, readVariables, type Values } from '#core/variable.ts';
import { isSender } from '../mail/mailer.ts';
import type { RateStoreName } from '../rate-limit/limiter.ts';
import { CONSOLE_VARIABLES } from './console-variables.ts';
import { FILES_VARIABLES } from './files-variables.ts';
import { readSecretKey } from './secrets.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const PORT_MAX = 65_535;
const WAITS_MAX = 50;
const KEEP_MAX = 10_000;
const POLL_MIN_MS = 100;
const POLL_MAX_MS = MINUTE_MS;

/** All environment variables (contract 2). */
export const VARIABLES = {
  databaseUrl: defineVariable({
    name: 'DATABASE_URL',
    meaning: 'The PostgreSQL database, 15 or later.',
    takes: 'postgres://user:password@host:5432/database',
    otherwise: 'none; `frontdesk up` runs its own database, all other commands with data need it',
    hint: 'Or set FRONTDESK_ENV_FILE to a file that contains it: frontdesk up writes frontdesk.env to its data folder (default: data), frontdesk install writes /etc/frontdesk/frontdesk.env',
    secret: 'url',
    parse: readDatabaseUrl,
  }),
  databaseSessionUrl: defineVariable({
    name: 'DATABASE_SESSION_URL',
    meaning: 'PostgreSQL itself, if DATABASE_URL is a pooler in transaction mode (PgBouncer).',
    takes: 'postgres://user:password@host:5432/database',
    otherwise: 'DATABASE_URL, which then must not be such a pooler',
    secret: 'url',
    parse: readDatabaseUrl,
  }),
  databaseReplicaUrl: defineVariable({
    name: 'DATABASE_REPLICA_URL',
    meaning: 'A streaming replica from which lists are read while it is up to date.',
    takes: 'postgres://user:password@host:5432/database',
    otherwise: 'none; everything is read from DATABASE_URL',
    secret: 'url',
    parse: readDatabaseUrl,
  }),
  secretKey: defineVariable({
    name: 'FRONTDESK_SECRET_KEY',
    meaning: 'Encrypts credentials and signing secrets at rest. Keep a copy apart from backups.',
    takes:
      '32 bytes in base64: the key of this installation, or for a new one the output of: openssl rand -base64 32',
    otherwise:
      'none; `frontdesk up` creates one in its data folder; serve, worker, admin and migrate need it',
    secret: true,
    parse: readSecretKey,
  }),
  baseUrl: defineVariable({
    name: 'FRONTDESK_BASE_URL',
    meaning: 'The public address, for links and provider signatures.',
    takes: 'an http:// or https:// address without a query',
    otherwise: 'http://localhost:<port>, or https:// with FRONTDESK_TLS_CERT',
    parse: readBaseUrl,
  }),
  tlsCert: defineVariable({
    name: 'FRONTDESK_TLS_CERT',
    meaning:
      'The certificate, with its chain, with which the server speaks HTTPS. A renewed file is used within ten seconds.',
    takes: 'the path of a PEM file',
    otherwise: 'none; the server speaks HTTP, for a proxy in front of it',
    parse: readPath,
  }),
  tlsKey: defineVariable({
    name: 'FRONTDESK_TLS_KEY',
    meaning: 'The private key of FRONTDESK_TLS_CERT, without a passphrase.',
    takes: 'the path of a PEM file',
    otherwise: 'none',
    parse: readPath,
  }),
  host: defineVariable({
    name: 'FRONTDESK_HOST',
    meaning: 'The address that the server listens on.',
    takes: 'a host name or an IP address; 0.0.0.0 means all',
    default: '127.0.0.1',
    parse: (text) => (/^[\w.:-]+$/.test(text) ? text : undefined),
  }),
  port: defineVariable({
    name: 'FRONTDESK_PORT',
    meaning: 'The port that the server listens on.',
    takes: `a number from 0 to ${PORT_MAX}; 0 means any free port`,
    default: '8080',
    parse: readPort,
  }),
  rateRead: defineVariable({
    name: 'FRONTDESK_RATE_READ',
    meaning: 'Read requests per API key, unless the key has its own rate.',
    takes: 'a number per duration: N/30s, N/1m, N/1h',
    default: '600/1m',
    parse: parseRate,
  }),
  rateWrite: defineVariable({
    name: 'FRONTDESK_RATE_WRITE',
    meaning: 'Write requests per API key, unless the key has its own rate.',
    takes: 'a number per duration: N/30s, N/1m, N/1h',
    default: '300/1m',
    parse: parseRate,
  }),
  publicRates: defineVariable({
    name: 'FRONTDESK_RATE_PUBLIC',
    meaning:
      'Limits of requests without a key, per IP address. workflow counts per endpoint; availability counts the days that availability and booking pages show; unsubscribe counts per link, and public_read in each process.',
    takes: `comma-separated name=rate pairs with the names ${PUBLIC_LIMITS.join(', ')}; missing ones keep their default`,
    default: PUBLIC_DEFAULT,
    parse: readPublicRates,
  }),
  rateStore: defineVariable({
    name: 'FRONTDESK_RATE_STORE',
    meaning: 'Where requests are counted. memory counts in each process separately.',
    takes: 'memory, postgres, or redis://host:6379 (Redis or Valkey)',
    default: 'postgres',
    secret: 'url',
    parse: readRateStore,
  }),
  trustedProxies: defineVariable({
    name: 'FRONTDESK_TRUSTED_PROXIES',
    meaning: "Your own proxies, whose X-Forwarded-For contains the visitor's address.",
    takes: 'comma-separated CIDRs, for example 127.0.0.1/32,10.0.0.0/8',
    otherwise: 'none; the address of the connection counts',
    parse: readNetworks,
  }),
  webhookRetries: defineVariable({
    name: 'FRONTDESK_WEBHOOK_RETRIES',
    meaning: 'Waits before the second and later attempts to deliver a webhook, each ±20 %.',
    takes: 'up to 50 comma-separated durations, for example 5s,5m,2h',
    default: '5s,5m,30m,2h,5h,10h,10h',
    parse: readWaits,
  }),
  webhookTimeout: defineVariable({
    name: 'FRONTDESK_WEBHOOK_TIMEOUT',
    meaning: 'The timeout of a webhook request in total; connecting may take 5 s of it.',
    takes: 'a duration from 100ms to 5m',
    default: '15s',
    parse: durationWithin(100, 300_000),
  }),
  sendRetries: defineVariable({
    name: 'FRONTDESK_SEND_RETRIES',
    meaning: 'Waits before the second and later attempts to send a message through its provider.',
    takes: 'up to 50 comma-separated durations, for example 5s,30s,2m',
    default: '5s,30s,2m,10m',
    parse: readWaits,
  }),
  outboundAllow: defineVariable({
    name: 'FRONTDESK_OUTBOUND_ALLOW',
    meaning: 'Private networks that outbound requests may reach, for receivers of your own.',
    takes: 'comma-separated CIDRs, for example 10.1.0.0/16,fd00::/8',
    otherwise: 'none',
    parse: readNetworks,
  }),
  smtpUrl: defineVariable({
    name: 'FRONTDESK_SMTP_URL',
    meaning: 'The mail server for mail to the admins of sub-accounts.',
    takes: 'smtp://user:password@host:587, or smtps:// for implicit TLS',
    otherwise: 'none; such mail is logged instead',
    secret: 'url',
    parse: (text) => (/^smtps?:\/\/[^/?#]/.test(text) && URL.canParse(text) ? text : undefined),
  }),
  mailFrom: defineVariable({
    name: 'FRONTDESK_MAIL_FROM',
    meaning: 'The sender of mail to the admins of sub-accounts.',
    takes: 'desk@example.com, or with a name: Frontdesk <desk@example.com>',
    otherwise: 'none; such mail is logged instead',
    parse: (text) => (isSender(text) ? text : undefined),
  }),
  backupDir: defineVariable({
    name: 'FRONTDESK_BACKUP_DIR',
    meaning: 'The folder of scheduled backups. doctor and metrics report the age of the last one.',
    takes: 'the absolute path of a folder',
    default: '/var/lib/frontdesk/backups',
    parse: (text) => (isAbsolute(text.trim()) ? normalize(text.trim()) : undefined),
  }),
  backupKeep: defineVariable({
    name: 'FRONTDESK_BACKUP_KEEP',
    meaning: 'How many scheduled backups to keep; the oldest are removed after a new one.',
    takes: `a number from 1 to ${KEEP_MAX}`,
    default: '14',
    parse: readKeep,
  }),
  ...FILES_VARIABLES,
  apiKey: defineVariable({
    name: 'FRONTDESK_API_KEY',
    meaning: 'The API key of `frontdesk webhook listen` and of `frontdesk mcp`.',
    takes: 'a key; to listen, with the scope webhooks:manage',
    otherwise: 'none; `webhook listen` prompts for it',
    secret: true,
    parse: (text) => (/^[\x21-\x7e]+$/.test(text.trim()) ? text.trim() : undefined),
  }),
  ...CONSOLE_VARIABLES,
  log: defineVariable({
    name: 'FRONTDESK_LOG',
    meaning: 'The format of log lines.',
    takes: 'pretty or json',
    otherwise: 'pretty on a terminal, json elsewhere',
    parse: (text) => (text === 'pretty' || text === 'json' ? text : undefined),
  }),
  logLevel: defineVariable({
    name: 'FRONTDESK_LOG_LEVEL',
    meaning: 'The lowest level that is logged.',
    takes: LOG_LEVELS.join(', '),
    default: 'info',
    parse: (text) => (LOG_LEVELS.includes(text) ? text : undefined),
  }),
  metricsToken: defineVariable({
    name: 'FRONTDESK_METRICS_TOKEN',
    meaning: 'The bearer token that grants access to /metrics from other machines.',
    takes: 'printable characters without spaces, for example from: openssl rand -hex 32',
    otherwise: 'none; /metrics is served to this machine only',
    secret: true,
    parse: (text) => (/^[\x21-\x7e]+$/.test(text) ? text : undefined),
  }),
  pollInterval: defineVariable({
    name: 'FRONTDESK_POLL_INTERVAL',
    meaning: 'How late a job starts at most if its notification is lost.',
    takes: 'a duration from 100ms to 1m',
    default: '2s',
    parse: durationWithin(POLL_MIN_MS, POLL_MAX_MS),
  }),
} as const;

export type Environment = Values<typeof VARIABLES>;

/** Reads and checks the environment. Throws a UsageFault with a line per wrong variable. */
export const readEnvironment = <R extends keyof Environment = never>(
  source: Readonly<Record<string, string | undefined>>,
  required: readonly R[] = [],
) => readVariables(VARIABLES, source, required);

export function readPort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= PORT_MAX ? port : undefined;
}

/** Returns the public address without a slash at its end; by default that of the server on this machine. */
export const baseUrlOf = ({
  baseUrl,
  tlsCert,
  port,
}: Pick<Environment, 'baseUrl' | 'tlsCert' | 'port'>): string =>
  baseUrl ?? `${tlsCert === undefined ? 'http' : 'https'}://localhost:${port}`;

function readKeep(text: string): number | undefined {
  const keep = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return keep >= 1 && keep <= KEEP_MAX ? keep : undefined;
}

/** A relative path starts at the working folder of the process. */
function readPath(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}

function readDatabaseUrl(text: string): string | undefined {
  return /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text) ? text : undefined;
}

/** Returns the address without a trailing slash: links are made by appending a path. */
function readBaseUrl(text: string): string | undefined {
  const url = /^https?:\/\//.test(text) ? URL.parse(text) : null;
  return url && !url.search && !url.hash && !url.username
    ? url.href.replace(/\/+$/, '')
    : undefined;
}

function readRateStore(text: string): RateStoreName | undefined {
  const isKnown = text === 'memory' || text === 'postgres';
  const isRedis = /^rediss?:\/\//.test(text) && URL.canParse(text);
  return isKnown || isRedis ? (text as RateStoreName) : undefined;
}

function durationWithin(minMs: number, maxMs: number) {
  return (text: string): number | undefined => {
    const ms = parseDuration(text);
    return ms !== undefined && ms >= minMs && ms <= maxMs ? ms : undefined;
  };
}

function readWaits(text: string): readonly number[] | undefined {
  const waits = text.split(',').map((one) => parseDuration(one.trim()));
  return waits.length <= WAITS_MAX && waits.every((ms) => ms !== undefined) ? waits : undefined;
}

function readNetworks(text: string): readonly string[] | undefined {
  const networks = text.split(',').map((one) => one.trim());
  return networks.every(isNetwork) ? networks : undefined;
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  const family = isIP(address);
  const isPrefix = /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
  return rest.length === 0 && family > 0 && isPrefix;
}
