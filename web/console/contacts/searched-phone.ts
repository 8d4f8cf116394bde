import { useQuery } from '@tanstack/react-query';
import { consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';

interface PhoneReading {
  readonly number: string | null;
  readonly examples: { readonly national: string; readonly international: string };
}

/** Returns what the server reads in a phone number as people write it. */
export const readPhone = (
  subAccountId: string,
  text: string,
  signal?: AbortSignal,
): Promise<PhoneReading> =>
  consoleCalls(subAccountId).data('GET', '/api/v1/phone-number', {
    query: { text },
    ...(signal && { options: { signal } }),
  });

/** Digits and what people write between them. */
const PHONE = /^\s*\+?[\d\s()./\u2010-\u2015-]{7,}$/;

/**
 * Returns the phone number that a search means, null if it means a text, and undefined while the server
 * reads it. The server searches texts for names, email addresses and companies only.
 */
export function useSearchedPhone(search: string): string | null | undefined {
  const { subAccountId } = usePlace().membership;
  const isPhone = PHONE.test(search);
  const { data, isError } = useQuery({
    queryKey: [subAccountId, 'phone-number', search],
    queryFn: ({ signal }) => readPhone(subAccountId, search, signal),
    enabled: isPhone,
    staleTime: Infinity,
  });
  return isPhone && !isError ? data?.number : null;
}
