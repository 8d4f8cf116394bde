import { useQuery } from '@tanstack/react-query';
import { consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import { currentLocale } from '../i18n/locale.ts';

/** What the endpoint `why` is asked about. */
export type WhyQuery =
  | {
      readonly kind: 'message' | 'delivery' | 'step' | 'confirmation' | 'reminder';
      readonly id: string;
    }
  | { readonly kind: 'recipient'; readonly campaignId: string; readonly contactId: string }
  | { readonly kind: 'trigger'; readonly workflow: string; readonly eventId: string }
  | {
      readonly kind: 'slot';
      readonly type: string;
      readonly start: string;
      /** The member who is to take it. */
      readonly assignedTo?: string | undefined;
    }
  /** A new start of an appointment. */
  | {
      readonly kind: 'slot';
      readonly id: string;
      readonly start: string;
      readonly assignedTo?: string | undefined;
    };

/** Times are epoch milliseconds. */
interface SlotFacts {
  readonly noticeMinutes?: number;
  readonly advanceDays?: number;
  readonly stepMinutes?: number;
  readonly busy?: readonly ({
    readonly name: string;
    /** Set if the waiting list holds the time. */
    readonly heldUntil?: number;
  } & Times)[];
  readonly needed?: Times;
}

interface Times {
  readonly from: number;
  readonly until: number;
}

export type WhyReason = WhyAnswer['reasons'][number];

interface WhyAnswer {
  readonly happened: boolean;
  readonly reasons: readonly {
    readonly rule: string;
    readonly sentence: string;
    readonly record: { readonly type: string; readonly id: string } | null;
    readonly at: string | null;
    /** The figures of a refused start. */
    readonly facts?: SlotFacts;
  }[];
}

/** Asks the server why, in the language of the console; a query of null asks nothing. */
export function useWhy(query: WhyQuery | null) {
  const { subAccountId } = usePlace().membership;
  const language = currentLocale();
  return useQuery({
    queryKey: [subAccountId, 'why', query, language],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<WhyAnswer>('GET', '/api/v1/why', {
        query: { ...query, language },
        options: { signal },
      }),
    enabled: query !== null,
    staleTime: 0,
  });
}
