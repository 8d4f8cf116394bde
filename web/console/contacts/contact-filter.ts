import { useSearchParams } from 'wouter';
import type { LifecycleStage } from '../../../sdk/src/generated/contacts.ts';
import { SEARCH_MIN } from '../api/limits.ts';

export const STAGES = [
  'lead',
  'qualified',
  'customer',
  'repeat',
  'inactive',
] as const satisfies readonly LifecycleStage[];

/** What the list is narrowed to, as the server takes it. */
export interface ContactFilter {
  readonly search?: string;
  readonly lifecycleStage?: LifecycleStage;
  readonly tags?: readonly string[];
  readonly assignedTo?: string;
  readonly source?: string;
  readonly hasPhone?: boolean;
}

export const splitTags = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);

/** A filter as the server takes it. */
export type SentFilter = ContactFilter & { readonly phone?: string };

/** Returns the filter without what the server would refuse or ignore. */
export function sentFilter({ search, ...filter }: ContactFilter): ContactFilter {
  const text = search?.trim() ?? '';
  return { ...filter, ...(text.length >= SEARCH_MIN && { search: text }) };
}

/** Returns the filter as the server takes it. A phone number that its search means replaces the search. */
export function withPhone(filter: ContactFilter, phone: string | null | undefined): SentFilter {
  const { search: _search, ...others } = filter;
  return phone ? { ...others, phone } : sentFilter(filter);
}

/** Returns whether two filters find the same. */
export const isSameFilter = (one: ContactFilter, other: ContactFilter): boolean =>
  textOf(one) === textOf(other);

const textOf = (filter: ContactFilter): string => paramsOf(sentFilter(filter)).toString();

function paramsOf(filter: ContactFilter): URLSearchParams {
  const { search, lifecycleStage, tags, assignedTo, source, hasPhone } = filter;
  const values = {
    q: search,
    stage: lifecycleStage,
    tags: tags?.join(','),
    owner: assignedTo,
    source,
    phone: hasPhone === undefined ? undefined : String(hasPhone),
  };
  return new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
}

function filterOf(params: URLSearchParams): ContactFilter {
  const search = params.get('q');
  const lifecycleStage = STAGES.find((stage) => stage === params.get('stage'));
  const tags = splitTags(params.get('tags') ?? '');
  const assignedTo = params.get('owner');
  const source = params.get('source');
  const phone = params.get('phone');
  return {
    ...(search !== null && { search }),
    ...(lifecycleStage && { lifecycleStage }),
    ...(tags.length > 0 && { tags }),
    ...(assignedTo !== null && { assignedTo }),
    ...(source !== null && { source }),
    ...(phone !== null && { hasPhone: phone === 'true' }),
  };
}

/** Returns the filter and the saved view that the address names, and the function that changes them. */
export function useContactFilter() {
  const [params, setParams] = useSearchParams();
  const viewId = params.get('view');
  const open = (filter: ContactFilter, view: string | null = viewId) => {
    const next = paramsOf(filter);
    if (view !== null) {
      next.set('view', view);
    }
    setParams(next, { replace: true });
  };
  return { filter: filterOf(params), viewId, open };
}
