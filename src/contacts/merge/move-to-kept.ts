import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';

interface MovedRows {
  readonly table: string;
  /** Whether the rows have the column `updated_at`. */
  readonly isDated: boolean;
  /** A condition of the rows that move; all without it. */
  readonly only?: string;
}

/** Returns the reaction to a merge that moves rows of the merged contact to the kept one, without events. */
export const moveToKept = ({ table, isDated, only }: MovedRows) => {
  const move = `update ${table} set contact_id = $3${isDated ? ', updated_at = $4' : ''}
    where sub_account_id = $1 and contact_id = $2${only === undefined ? '' : ` and ${only}`}`;
  return async (
    work: Work,
    { contactId, data }: Occurrence<{ mergedContactId: string }>,
  ): Promise<void> => {
    const values = [work.subAccountId, data.mergedContactId, contactId];
    work.write(move, isDated ? [...values, work.now] : values);
  };
};
