import { useState } from 'react';
import type { AppointmentType } from '../../../sdk/src/generated/calendars.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Select } from '../ui/select.tsx';

const ANYONE = 'anyone';

/** Chooses who takes an appointment, where any of several members could. */
export function MemberSelect({ member }: { readonly member: ChosenMember }) {
  const { planner } = useMessages();
  const { options, id: chosen = ANYONE, choose } = member;
  return (
    options.length > 1 && (
      <Select
        label={planner.with}
        value={chosen}
        options={[{ id: ANYONE, label: planner.anyMember }, ...options]}
        onChange={choose}
      />
    )
  );
}

/** Returns the members who could take appointments of a type, and the chosen one, if any. */
export function useChosenMember(type: AppointmentType | undefined, wanted: string | null) {
  const [chosen, choose] = useState(wanted ?? ANYONE);
  const { members = [] } = type ?? {};
  return {
    options: members.map(({ id, name }) => ({ id, label: name })),
    id: members.find(({ id }) => id === chosen)?.id,
    choose,
  };
}

export type ChosenMember = ReturnType<typeof useChosenMember>;
