import { useEffect } from 'react';
import { FrontdeskError } from '../../../sdk/src/error.ts';
import { issueText } from '../i18n/issue-text.ts';

/** Returns the function that finds what the server says about a field. The first such field gets the focus. */
export function useFieldErrors(error: Error | null): (field: string) => string | undefined {
  useEffect(() => {
    if (error !== null) {
      document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
    }
  }, [error]);
  return (field) => {
    const issues = error instanceof FrontdeskError ? error.issues : [];
    const issue = issues.find(({ path }) => path === `/${field}`);
    return issue && issueText(issue.message);
  };
}

/** Returns whether everything that the server says is about these fields. */
export const isAboutFields = (error: unknown, fields: readonly string[]): boolean =>
  error instanceof FrontdeskError &&
  error.issues.length > 0 &&
  error.issues.every(({ path }) => fields.some((field) => path === `/${field}`));
