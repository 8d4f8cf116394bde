import { parseRate, type Rate } from './rate.ts';

/**
 * The limits of calls without a key, per IP address. `availability` counts the days that are shown;
 * `workflow` counts calls per endpoint.
 */
export const PUBLIC_LIMITS = [
  'chat_session',
  'chat_message',
  'form',
  'booking',
  'workflow',
  'availability',
] as const;

export type PublicLimit = (typeof PUBLIC_LIMITS)[number];

export type PublicRates = Readonly<Record<PublicLimit, Rate>>;

export const PUBLIC_DEFAULT =
  'chat_session=10/1h,chat_message=30/1m,form=10/1m,booking=20/1m,workflow=120/1m,availability=600/1m';

/** Parses `name=N/1m,…`; missing limits have their default. Returns undefined for anything else. */
export function readPublicRates(text: string): PublicRates | undefined {
  const rates = `${PUBLIC_DEFAULT},${text}`.split(',').map((one) => {
    const [name = '', rate = '', ...rest] = one.trim().split('=');
    const isKnown = rest.length === 0 && PUBLIC_LIMITS.some((limit) => limit === name);
    return [name, isKnown ? parseRate(rate) : undefined] as const;
  });
  return rates.every(([, rate]) => rate) ? (Object.fromEntries(rates) as PublicRates) : undefined;
}
