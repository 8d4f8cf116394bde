import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LifecycleStage } from '../../../sdk/src/generated/contacts.ts';
import { consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import type {
  CampaignWithContent,
  PreviewChoice,
  PreviewedMail,
  UnknownField,
} from './campaign-queries.ts';

/** What a campaign is created from, and what a draft is changed to. */
export interface CampaignInput {
  readonly name: string;
  readonly subject: string;
  readonly preheader: string | null;
  readonly contentHtml: string;
  /** The name of a template. */
  readonly layout: string;
  readonly listId: string | null;
}

export interface Template {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  /** The key of a list. */
  readonly defaultList: string | null;
}

export interface List {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  /** What a dynamic list selects; null for a list whose contacts are added one by one. */
  readonly filter: ListFilter | null;
}

export interface ListFilter {
  readonly tags?: readonly string[];
  readonly lifecycleStage?: readonly LifecycleStage[];
}

export type LeftOutReason = 'no_email' | 'do_not_disturb' | 'opted_out';

export interface Audience extends LeftOut {
  readonly contacts: number;
  readonly mails: number;
}

export interface LeftOut {
  readonly leftOut: Readonly<Record<LeftOutReason, number>>;
  /** The first contacts that get nothing. */
  readonly examples: readonly {
    readonly contactId: string;
    readonly name: string;
    readonly email: string | null;
    readonly reason: LeftOutReason;
    readonly detail: string | null;
  }[];
}

interface TestMail {
  readonly sentTo: string;
  readonly captured: PreviewedMail | null;
  readonly unknownFields: readonly UnknownField[];
}

/** Returns a query of a list of the campaigns' own, which live changes refresh. */
export function useCampaignData<T>(path: string, key: readonly string[], isEnabled = true) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'campaigns', ...key],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<T>('GET', `/api/v1/${path}`, { options: { signal } }),
    enabled: isEnabled,
  });
}

/** Returns the templates; of several with the same name, only the newest, which campaigns get. */
export function useTemplates() {
  const query = useCampaignData<(Template & { readonly updatedAt: string })[]>(
    'campaign-templates',
    ['templates'],
  );
  const newestFirst = query.data?.toSorted((one, other) =>
    other.updatedAt.localeCompare(one.updatedAt),
  );
  return {
    ...query,
    data: newestFirst?.filter(
      ({ name }, index) => newestFirst.findIndex((one) => one.name === name) === index,
    ),
  };
}

export const useLists = () => useCampaignData<List[]>('campaign-lists', ['lists']);

/** Returns how many contacts of a list would get a mail, and who would not. */
export const useAudience = (listId: string | null) =>
  useCampaignData<Audience>(
    `campaign-lists/${listId}/audience`,
    ['audience', listId ?? ''],
    listId !== null,
  );

/** A contact of a list that a mail can be previewed for. */
export interface PreviewContact {
  readonly contactId: string;
  /** May be empty. */
  readonly name: string;
  readonly email: string | null;
  readonly hasFirstName: boolean;
}

/** Returns contacts of a list, among them one without a first name if there is one. */
export const usePreviewContacts = (listId: string | null) =>
  useCampaignData<PreviewContact[]>(
    `campaign-lists/${listId}/contacts`,
    ['preview-contacts', listId ?? ''],
    listId !== null,
  );

/** Returns who was left out when a campaign started; with `search`, by a part of a name or address. */
export const useLeftOut = (
  { id, startedAt }: Pick<CampaignWithContent, 'id' | 'startedAt'>,
  search = '',
) =>
  useCampaignData<LeftOut>(
    `campaigns/${id}/left-out${search && `?q=${encodeURIComponent(search)}`}`,
    [id, 'left-out', search],
    startedAt !== null,
  );

/** Returns how many contacts were left out for any reason. */
export const sizeOf = (leftOut: LeftOut['leftOut']): number =>
  Object.values(leftOut).reduce((sum, count) => sum + count, 0);

/** Returns the mail of content that is not saved, as a contact of the list gets it. */
export function useContentPreview(input: Omit<CampaignInput, 'name'>, choice: PreviewChoice) {
  const { subject, preheader, contentHtml, layout, listId } = input;
  const content = { subject, preheader, contentHtml, layout, listId, ...choice };
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'campaigns', 'content', content],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<PreviewedMail>('POST', '/api/v1/campaigns/preview', {
        body: content,
        options: { signal },
      }),
    enabled: layout !== '',
    // The mail stays while the next one is fetched: a page that flickers cannot be read.
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}

/** Creates a draft, or changes it if there is an id. */
export function useSaveCampaign(id: string | undefined) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CampaignInput) =>
      id === undefined
        ? consoleCalls(subAccountId).data<{ readonly id: string }>('POST', '/api/v1/campaigns', {
            body,
          })
        : consoleCalls(subAccountId).data<CampaignWithContent>('PATCH', `/api/v1/campaigns/${id}`, {
            body,
          }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [subAccountId, 'campaigns'] }),
  });
}

/** Sends the mail of a campaign to the signed-in user, merged for a contact. A sandbox captures it. */
export function useTestMail(id: string) {
  const { subAccountId } = usePlace().membership;
  return useMutation({
    mutationFn: (body: PreviewChoice) =>
      consoleCalls(subAccountId).data<TestMail>('POST', `/api/v1/campaigns/${id}/test`, { body }),
  });
}

/** Starts a campaign: now, or at a time in epoch milliseconds, to which a scheduled one is moved. */
export function useStartCampaign({ id, status }: Pick<CampaignWithContent, 'id' | 'status'>) {
  const verb = status === 'scheduled' ? 'reschedule' : 'schedule';
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (scheduledAt: number | undefined) =>
      scheduledAt === undefined
        ? consoleCalls(subAccountId).data('POST', `/api/v1/campaigns/${id}/send`, {})
        : consoleCalls(subAccountId).data('POST', `/api/v1/campaigns/${id}/${verb}`, {
            body: { scheduledAt },
          }),
    onSettled: () => queries.invalidateQueries({ queryKey: [subAccountId, 'campaigns'] }),
  });
}
