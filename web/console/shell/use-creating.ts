import { useSearchParams } from 'wouter';
import { useCanWrite } from '../api/session.ts';

const PARAMETER = 'new';

/** The address that opens a page with its form for a new record. */
export const creatingAt = (page: string): string => `/${page}?${PARAMETER}`;

/** Returns whether the address asks for the form of a new record, which only users who may write get. */
export function useCreating() {
  const [params, setParams] = useSearchParams();
  const canWrite = useCanWrite();
  const others = [...params].filter(([name]) => name !== PARAMETER);
  return {
    isCreating: canWrite && params.has(PARAMETER),
    begin: () => setParams([...others, [PARAMETER, '']], { replace: true }),
    end: () => setParams(others, { replace: true }),
  };
}
