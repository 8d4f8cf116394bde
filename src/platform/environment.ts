import { parseDuration } from '#kit/duration.ts';
import { parseRate } from '#kit/rate.ts';
import { defineVariable, readVariables, type Values } from '#kit/variable.ts';
import type { RateStoreName } from './rate-limit/open-rate-limiter.ts';
import { readSecretKey } from './secrets.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const PORT_MAX = 65_535;
const POLL_MIN_MS = 100;
const POLL_MAX_MS = 60_000;

/** Every variable that Frontdesk reads (contract 2). */
export const VARIABLES = {
  databaseUrl: defineVariable({
    name: 'DATABASE_URL',
    meaning: 'The PostgreSQL database, 15 or later.',
    takes: 'postgres://user:password@host:5432/database',
    otherwise: '`frontdesk up` brings its own; every other command that reads data needs it',
    secret: true,
    parse: (text) => (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
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
  rateStore: defineVariable({
    name: 'FRONTDESK_RATE_STORE',
    meaning: 'Where requests are counted; only memory does not hold across processes.',
    takes: 'memory, postgres, or redis://host:6379 (Redis or Valkey)',
    default: 'postgres',
    secret: true,
    parse: readRateStore,
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
  pollInterval: defineVariable({
    name: 'FRONTDESK_POLL_INTERVAL',
    meaning: 'How late a job starts at most where its notification is lost.',
    takes: 'a duration from 100ms to 1m',
    default: '2s',
    parse: readPollInterval,
  }),
} as const;

export type Environment = Values<typeof VARIABLES>;

/** Reads and checks the whole environment; throws a UsageFault that names what is wrong. */
export const readEnvironment = <R extends keyof Environment = never>(
  source: Readonly<Record<string, string | undefined>>,
  required: readonly R[] = [],
) => readVariables(VARIABLES, source, required);

export function readPort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= PORT_MAX ? port : undefined;
}

/** Links are made by appending a path, so no slash stays at its end. */
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

function readPollInterval(text: string): number | undefined {
  const ms = parseDuration(text);
  return ms !== undefined && ms >= POLL_MIN_MS && ms <= POLL_MAX_MS ? ms : undefined;
}
