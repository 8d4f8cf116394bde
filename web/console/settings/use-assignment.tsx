import type { ReactNode } from 'react';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { showToast } from '../ui/toast.tsx';
import type { Entry } from './forms/entry.ts';
import { keyFrom } from './forms/key-from.ts';
import { useSaveEntry, useSection } from './forms/section-queries.ts';
import { ownerMessages } from './owner-messages.ts';
import type { Member } from './settings-queries.ts';

interface Choice {
  readonly id: string;
  readonly text: string;
  readonly run: () => void;
}

interface Assignment {
  /** Whether the team is known yet; `error` says why it will not be. */
  readonly isKnown: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
  /** Returns the team member with this email address; none before the team is known. */
  readonly assigneeOf: (email: string) => { readonly name: string } | undefined;
  /** Returns the ways to make a user assignable; none if they are. */
  readonly choicesFor: (member: Member) => readonly Choice[];
  /** The dialog of a second sign-in; it belongs on the page. */
  readonly dialog: ReactNode;
}

const emailOf = ({ email }: Entry): string =>
  typeof email === 'string' ? email.toLowerCase() : '';

/** Returns what links users to members of the team: appointments and tasks are assigned to members. */
export function useAssignment(): Assignment {
  const texts = ownerMessages().team;
  const { entries: team, error, refetch } = useSection('team');
  const { save } = useSaveEntry('team', 'list');
  const { attempt, dialog } = useAttempts();
  const assigneeOf = (email: string) => {
    const found = team?.find((one) => emailOf(one) === email.toLowerCase());
    return found && { name: String(found['name']) };
  };
  const store = (entry: Entry, base: Entry | undefined) =>
    attempt(async () => {
      await save({ entry, base });
      showToast({ text: texts.made(String(entry['name'])) });
    });
  return {
    isKnown: team !== undefined,
    error: team === undefined ? error : null,
    retry: () => void refetch(),
    assigneeOf,
    dialog,
    choicesFor({ email, name }) {
      if (team === undefined || assigneeOf(email)) {
        return [];
      }
      const taken = new Set(team.map(({ key }) => key));
      const shown = name ?? email;
      const fresh = { key: keyFrom(name ?? email.replace(/@.*/, ''), taken), name: shown, email };
      const without = team.filter((one) => emailOf(one) === '');
      return [
        { id: 'new', text: texts.make, run: () => store(fresh, undefined) },
        ...without.map((one) => ({
          id: String(one['key']),
          text: texts.link(String(one['name'])),
          run: () => store({ ...one, email }, one),
        })),
      ];
    },
  };
}
