import type { CallOptions } from './options.ts';
import { send } from './send.ts';
import type { Settings } from './settings.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface ApiCall {
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly options?: CallOptions | undefined;
  /** Of a visitor's POST: it takes an `Idempotency-Key`, as every POST with a key does. */
  readonly isRepeatable?: true;
  /** Of a POST that changes nothing: it is repeated without a key, and its answer kept nowhere. */
  readonly isLookup?: true;
}

/** An answer that says more than its data. */
export interface Answer<D, M> {
  data: D;
  meta: M;
}

/** What the generated methods are made of. */
export interface Api {
  /** The `data` of the answer. */
  data<D>(method: Method, path: string, given: ApiCall): Promise<D>;
  /** The whole answer. */
  answer<D, M>(method: Method, path: string, given: ApiCall): Promise<Answer<D, M>>;
}

export function openApi(settings: Settings): Api {
  const answer = <D, M>(method: Method, path: string, given: ApiCall) =>
    send(settings, { method, path, ...given }) as Promise<Answer<D, M>>;
  return {
    answer,
    data: async <D>(method: Method, path: string, given: ApiCall) =>
      (await answer<D, unknown>(method, path, given)).data,
  };
}
