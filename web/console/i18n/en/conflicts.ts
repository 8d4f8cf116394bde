export const enConflicts = {
  changedMeanwhile: 'Another person changed this meanwhile',
  changedBy: (name: string, at: string): string => `Changed meanwhile by ${name} (${at})`,
  conflictText: (fields: string): string =>
    `Changed: ${fields}. Nothing is saved yet. What you typed is kept; the other fields show the new values. Check them, then save again.`,
  otherFields: 'settings that are not in this form',
  removedText:
    'The entry was removed. Nothing is saved yet. Save again to create it with your values.',
  takenText:
    'An entry with the same key was added. Nothing is saved yet. Save again to add yours with another key.',
  conflictIn: (entries: string): string =>
    `Changed: ${entries}. Nothing is saved yet, and your text is kept. “Preview changes” shows what saving would now undo.`,
  saveAnyway: 'Save anyway',
  discard: 'Discard my text and reload',
};
