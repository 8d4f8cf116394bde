import { inSlices } from '#lib/in-slices.ts';
import type { OfferedTime } from '../../calendars/schedule.ts';
import type { searchSlots } from '../../calendars/slots/slots-of.ts';

/** Returns what a search finds. Other work runs meanwhile: a month of a large calendar takes a second or more. */
export async function collectSlots(
  subAccountId: string,
  search: ReturnType<typeof searchSlots>,
): Promise<OfferedTime[]> {
  const slots: OfferedTime[] = [];
  await inSlices(subAccountId, search, (slot) => slot && slots.push(slot));
  return slots;
}
