import { isIP } from 'node:net';
import { MINUTE_MS, parseDuration } from '#lib/duration.ts';
import { PUBLIC_DEFAULT, PUBLIC_LIMITS, readPublicRates } from '#core/endpoint/public-limit.ts';
import { parseRate } from '#core/endpoint/rate.ts';
import { defineVariable, readVariables, type Values } from '#core/variable.ts';
import { isSender } from '../mail/mailer.ts';
import type { RateStoreName } from '../rate-limit/limiter.ts';
import { readSecretKey } from './secrets.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const PORT_MAX = 65_535;
const WAITS_MAX = 50;
const POLL_MIN_MS = 100;
const POLL_MAX_MS = MINUTE_MS;

/** All environment variables (contract 2). */
export const VARIABLES = {
  databaseUrl: defineVariable({
    name: 'DATABASE_URL',
    meaning: 'The PostgreSQL database, 15 or later.',
    takes: 'postgres://user:password@host:5432/database',
    otherwise: '`frontdesk up` brings its own; every other command that reads data needs it',
    hint: 'FRONTDESK_ENV_FILE may name a file with it: npm start writes data/frontdesk.env, install /etc/frontdesk/frontdesk.env',
    secret: true,
    parse: readDatabaseUrl,
  }),
  databaseSessionUrl: defineVariable({
    name: 'DATABASE_SESSION_URL',
    meaning: 'PostgreSQL itself, where DATABASE_URL is a pooler in transaction mode (PgBouncer).',
    takes: 'postgres://user:password@host:5432/database',
    otherwise: 'the same as DATABASE_URL, which is then no such pooler',
    secret: true,
    parse: readDatabaseUrl,
  }),
  databaseReplicaUrl: defineVariable({
    name: 'DATABASE_REPLICA_URL',
    meaning: 'A streaming replica that lists are read from while it is up to date.',
    takes: 'postgres://user:password@host:5432/database',
    otherwise: 'none; everything is read from DATABASE_URL',
    secret: true,
    parse: readDatabaseUrl,
  }),
  secretKey: defineVariable({
    name: 'FRONTDESK_SECRET_KEY',
    meaning: 'Encrypts credentials and signing secrets at rest; keep a copy apart from backups.',
    takes: '32 bytes in base64, for example from: openssl rand -base64 32',
    otherwise: '`frontdesk up` makes one in its data folder; serve, worker, admin, migrate need it',
    secret: true,
    parse: readSecretKey,
  }),
  baseUrl: defineVariable({
    name: 'FRONTDESK_BASE_URL',
    meaning: 'The public address, used in links and signatures.',
    takes: 'an http:// or https:// address without query',
    otherwise: 'http://localhost:<port>',
    parse: readBaseUrl,
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
    takes: `a number from 0 to ${PORT_MAX}; 0 means any that is free`,
    default: '8080',
    parse: readPort,
  }),
  rateRead: defineVariable({
    name: 'FRONTDESK_RATE_READ',
    meaning: 'Reading requests per API key; a key can carry its own rate.',
    takes: 'a number per time: N/30s, N/1m, N/1h',
    default: '600/1m',
    parse: parseRate,
  }),
  rateWrite: defineVariable({
    name: 'FRONTDESK_RATE_WRITE',
    meaning: 'Changing requests per API key; a key can carry its own rate.',
    takes: 'a number per time: N/30s, N/1m, N/1h',
    default: '300/1m',
    parse: parseRate,
  }),
  publicRates: defineVariable({
    name: 'FRONTDESK_RATE_PUBLIC',
    meaning:
      'What visitors without a key may do, per IP address; workflow counts per endpoint, availability counts days shown by availability and pages.',
    takes: `rates by name between commas, of ${PUBLIC_LIMITS.join(', ')}; those left out stay`,
    default: PUBLIC_DEFAULT,
    parse: readPublicRates,
  }),
  rateStore: defineVariable({
    name: 'FRONTDESK_RATE_STORE',
    meaning: 'Where requests are counted; only memory does not hold across processes.',
    takes: 'memory, postgres, or redis://host:6379 (Redis or Valkey)',
    default: 'postgres',
    secret: true,
    parse: readRateStore,
  }),
  trustedProxies: defineVariable({
    name: 'FRONTDESK_TRUSTED_PROXIES',
    meaning: 'Your own proxies: their X-Forwarded-For says which address a visitor has.',
    takes: 'CIDRs between commas, for example 127.0.0.1/32,10.0.0.0/8',
    otherwise: 'none; the address of the connection counts',
    parse: readNetworks,
  }),
  webhookRetries: defineVariable({
    name: 'FRONTDESK_WEBHOOK_RETRIES',
    meaning: 'Waits before the second and each further attempt to deliver a webhook, each ±20 %.',
    takes: 'up to 50 durations between commas, for example 5s,5m,2h',
    default: '5s,5m,30m,2h,5h,10h,10h',
    parse: readWaits,
  }),
  webhookTimeout: defineVariable({
    name: 'FRONTDESK_WEBHOOK_TIMEOUT',
    meaning: 'How long a whole webhook request may take; connecting gets 5 s of it at most.',
    takes: 'a duration from 100ms to 5m',
    default: '15s',
    parse: durationWithin(100, 300_000),
  }),
  sendRetries: defineVariable({
    name: 'FRONTDESK_SEND_RETRIES',
    meaning: 'Waits before the second and each further attempt to hand a message to its provider.',
    takes: 'up to 50 durations between commas, for example 5s,30s,2m',
    default: '5s,30s,2m,10m',
    parse: readWaits,
  }),
  outboundAllow: defineVariable({
    name: 'FRONTDESK_OUTBOUND_ALLOW',
    meaning: 'Private networks that sub-accounts may name all the same, for receivers of your own.',
    takes: 'CIDRs between commas, for example 10.1.0.0/16,fd00::/8',
    otherwise: 'none',
    parse: readNetworks,
  }),
  smtpUrl: defineVariable({
    name: 'FRONTDESK_SMTP_URL',
    meaning: 'The mail server for mail to the admins of sub-accounts.',
    takes: 'smtp://user:password@host:587, or smtps:// for TLS from the first byte',
    otherwise: 'none; such mail is logged',
    secret: true,
    parse: (text) => (/^smtps?:\/\/[^/?#]/.test(text) && URL.canParse(text) ? text : undefined),
  }),
  mailFrom: defineVariable({
    name: 'FRONTDESK_MAIL_FROM',
    meaning: 'The sender of that mail.',
    takes: 'an address, or a name with one: Frontdesk <desk@example.com>',
    otherwise: 'none; such mail is logged',
    parse: (text) => (isSender(text) ? text : undefined),
  }),
  apiKey: defineVariable({
    name: 'FRONTDESK_API_KEY',
    meaning: 'The API key that `frontdesk webhook listen` reads events with.',
    takes: 'a key with the scope webhooks:manage',
    otherwise: 'none; it is asked for',
    secret: true,
    parse: (text) => (/^[\x21-\x7e]+$/.test(text.trim()) ? text.trim() : undefined),
  }),
  log: defineVariable({
    name: 'FRONTDESK_LOG',
    meaning: 'How log lines look.',
    takes: 'pretty or json',
    otherwise: 'pretty on a terminal, else json',
    parse: (text) => (text === 'pretty' || text === 'json' ? text : undefined),
  }),
  logLevel: defineVariable({
    name: 'FRONTDESK_LOG_LEVEL',
    meaning: 'The least severe lines that are logged.',
    takes: LOG_LEVELS.join(', '),
    default: 'info',
    parse: (text) => (LOG_LEVELS.includes(text) ? text : undefined),
  }),
  metricsToken: defineVariable({
    name: 'FRONTDESK_METRICS_TOKEN',
    meaning: 'What reads /metrics has to send, as Authorization: Bearer, from anywhere.',
    takes: 'printable characters without spaces, for example from: openssl rand -hex 32',
    otherwise: 'none; /metrics then answers this machine alone',
    secret: true,
    parse: (text) => (/^[\x21-\x7e]+$/.test(text) ? text : undefined),
  }),
  pollInterval: defineVariable({
    name: 'FRONTDESK_POLL_INTERVAL',
    meaning: 'How late a job starts at most where its notification is lost.',
    takes: 'a duration from 100ms to 1m',
    default: '2s',
    parse: durationWithin(POLL_MIN_MS, POLL_MAX_MS),
  }),
} as const;

export type Environment = Values<typeof VARIABLES>;

/** Reads and checks the environment; throws a UsageFault that names what is wrong. */
export const readEnvironment = <R extends keyof Environment = never>(
  source: Readonly<Record<string, string | undefined>>,
  required: readonly R[] = [],
) => readVariables(VARIABLES, source, required);

export function readPort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= PORT_MAX ? port : undefined;
}

function readDatabaseUrl(text: string): string | undefined {
  return /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text) ? text : undefined;
}

/** Without a slash at the end: links are made by appending a path. */
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
