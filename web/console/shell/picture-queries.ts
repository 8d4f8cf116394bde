import { useQuery } from '@tanstack/react-query';
import { consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';

interface MemberPicture {
  readonly userId: string;
  readonly url: string;
}

const NONE: ReadonlyMap<string, string> = new Map();

/** How long a new picture of a colleague may be unseen. */
const STALE_MS = 300_000;

const toMap = (pictures: readonly MemberPicture[]): ReadonlyMap<string, string> =>
  new Map(pictures.map(({ userId, url }) => [userId, url]));

/** Returns the addresses of the members' pictures by user. */
export function usePictures(): ReadonlyMap<string, string> {
  const { subAccountId } = usePlace().membership;
  const { data = NONE } = useQuery({
    queryKey: [subAccountId, 'pictures'],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<MemberPicture[]>('GET', '/api/v1/pictures', {
        options: { signal },
      }),
    select: toMap,
    staleTime: STALE_MS,
  });
  return data;
}
