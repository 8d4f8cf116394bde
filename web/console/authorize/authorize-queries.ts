import { useMutation, useQuery } from '@tanstack/react-query';
import type { Scope } from '../../../src/core/scope.ts';
import { consoleCalls } from '../api/client.ts';

export type { Scope };

export const RISKS = ['tells', 'destroys', 'mass'] as const;
export const DECISIONS = ['allow', 'ask', 'deny'] as const;
type Decision = (typeof DECISIONS)[number];
export type Policy = Readonly<Record<(typeof RISKS)[number], Decision>>;

/** What a program asks for. */
export interface ProgramRequest {
  readonly client: { readonly id: string; readonly name: string; readonly host: string };
  readonly redirect: {
    readonly host: string;
    readonly isLocal: boolean;
    readonly isForeign: boolean;
  };
  readonly scopes: readonly Scope[];
  readonly denyUrl: string;
}

export const useProgramRequest = (request: string) =>
  useQuery({
    queryKey: ['program-request', request],
    queryFn: ({ signal }) =>
      consoleCalls().data<ProgramRequest>('GET', '/api/authorize', {
        query: { request },
        options: { signal },
      }),
    staleTime: Infinity,
  });

interface Allowance {
  readonly request: string;
  readonly scopes: readonly Scope[];
  readonly agentPolicy: Policy;
}

export const useAllow = (subAccountId: string) =>
  useMutation({
    mutationFn: (body: Allowance) =>
      consoleCalls(subAccountId).data<{ readonly redirectTo: string }>(
        'POST',
        '/api/v1/authorize',
        { body },
      ),
  });
