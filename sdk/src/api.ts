import type { CallOptions } from './options.ts';
import { send } from './send.ts';
import type { Settings } from './settings.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface ApiCall {
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly options?: CallOptions | undefined;
  /** For a visitor's POST: whether it takes an `Idempotency-Key`, like every keyed POST. */
  readonly isRepeatable?: true;
  /**
   * For a POST that changes nothing: it is repeated without a key, so that its response is not
   * stored.
   */
  readonly isLookup?: true;
}

/** A response with more than its data. */
export interface Answer<D, M> {
  data: D;
  meta: M;
}

/** The functions that generated methods use. */
export interface Api {
  /** Returns the `data` of the response. */
  data<D>(method: Method, path: string, given: ApiCall): Promise<D>;
  /** Returns the whole response. */
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
