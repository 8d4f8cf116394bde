import { issueText } from './issue-text.ts';
import { useMessages } from './messages.tsx';

/** Returns the function that words an issue in the language of the console. */
export function useIssueText(): (message: string) => string {
  const { issues } = useMessages();
  return (message) => issueText(message, issues);
}
