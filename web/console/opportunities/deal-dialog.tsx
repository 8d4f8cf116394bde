import {
  CalendarDateTime,
  fromDate,
  toCalendarDate,
  type CalendarDate,
} from '@internationalized/date';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Opportunity } from '../../../sdk/src/generated/opportunities.ts';
import type { Pipeline } from '../../../sdk/src/generated/pipelines.ts';
import { useCanWrite, usePlace } from '../api/session.ts';
import { ContactField } from '../contacts/contact-field.tsx';
import { useMessages } from '../i18n/messages.tsx';
import { AssigneeField } from '../inbox/assignee-field.tsx';
import { useDeleteRecord } from '../shell/use-delete-record.ts';
import { Button } from '../ui/button.tsx';
import { DateField } from '../ui/date-field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { NumberField } from '../ui/number-field.tsx';
import { Select } from '../ui/select.tsx';
import { showToast } from '../ui/toast.tsx';
import { useShowError } from '../ui/use-show-error.ts';
import { useSaveDeal } from './opportunity-queries.ts';
import { useDealMoves } from './use-deal-moves.tsx';

/** Of the currencies with the smallest units, such as the dinar. */
const MONEY_DIGITS = 3;

interface DealDialogProps {
  readonly pipeline: Pipeline;
  /** The deal to change; undefined for a new one. */
  readonly deal?: Opportunity | undefined;
  /** The contact of a new deal, to begin with. */
  readonly contactId?: string;
  readonly onClose: () => void;
}

/** Creates a deal of a pipeline, or changes one. */
export function DealDialog(props: DealDialogProps) {
  const { pipeline, deal, onClose } = props;
  const { opportunities, common } = useMessages();
  const canWrite = useCanWrite();
  const { values, set, submit, isPending } = useDealForm(props);
  const deletionOf = useDeleteRecord('opportunities', onClose);
  const moves = useDealMoves(pipeline, onClose);
  return (
    <>
      <FormDialog
        title={deal ? opportunities.edit : opportunities.newDeal}
        submit={common.save}
        isOpen
        isPending={isPending}
        isDisabled={!canWrite}
        onClose={onClose}
        onSubmit={submit}
        deletion={deal && deletionOf(deal)}
      >
        <DealFields pipeline={pipeline} deal={deal} values={values} set={set} />
        {deal?.status === 'open' && canWrite && (
          <div>
            <Button onPress={() => moves.lose(deal)}>{opportunities.lostTitle}</Button>
          </div>
        )}
      </FormDialog>
      {/* Not within the form: it would be submitted, too. */}
      {moves.dialog}
    </>
  );
}

interface DealFieldsProps extends Pick<DealDialogProps, 'pipeline' | 'deal'> {
  readonly values: DealValues;
  readonly set: (part: Partial<DealValues>) => void;
}

function DealFields({ pipeline, deal, values, set }: DealFieldsProps) {
  const { deals, contacts, tasks } = useMessages();
  const { name, contactId, value, stageId, assignedTo, close } = values;
  return (
    <>
      <TextField
        label={contacts.name}
        autoFocus
        isRequired
        value={name}
        onChange={(text) => set({ name: text })}
      />
      <ContactField
        label={tasks.contact}
        value={contactId}
        onChange={(id) => set({ contactId: id })}
      />
      {deal && <Link href={`/contacts/${deal.contactId}`}>{contacts.details}</Link>}
      <NumberField
        label={deal ? `${deals.value} (${deal.currency})` : deals.value}
        minValue={0}
        maxFractionDigits={MONEY_DIGITS}
        value={value}
        onChange={(amount) => set({ value: amount })}
      />
      {!deal && (
        <Select
          label={contacts.stage}
          value={stageId}
          options={pipeline.stages.map(({ id, name: label }) => ({ id, label }))}
          onChange={(id) => set({ stageId: id })}
        />
      )}
      <DateField
        label={deals.expectedClose}
        value={close}
        onChange={(date) => set({ close: date })}
      />
      <AssigneeField value={assignedTo} onChange={(id) => set({ assignedTo: id })} />
    </>
  );
}

interface DealValues {
  readonly name: string;
  readonly contactId: string | null;
  readonly value: number | null;
  readonly stageId: string;
  readonly assignedTo: string | null;
  readonly close: CalendarDate | null;
}

const valuesOf = (deal: Opportunity, zone: string): DealValues => ({
  name: deal.name,
  contactId: deal.contactId,
  value: deal.value,
  stageId: deal.stageId,
  assignedTo: deal.assignedTo,
  close: dayOf(deal.expectedCloseDate, zone),
});

const newValues = (
  { pipeline, contactId }: DealDialogProps,
  memberId: string | null,
): DealValues => ({
  name: '',
  contactId: contactId ?? null,
  value: null,
  stageId: pipeline.stages[0]?.id ?? '',
  assignedTo: memberId,
  close: null,
});

/** Returns the day of an instant, in epoch milliseconds, in a time zone. */
const dayOf = (at: number | null, zone: string): CalendarDate | null =>
  at === null ? null : toCalendarDate(fromDate(new Date(at), zone));

/** Returns noon, which is the same day for viewers in most time zones. */
const noonOf = ({ year, month, day }: CalendarDate, zone: string): number =>
  new CalendarDateTime(year, month, day, 12).toDate(zone).getTime();

/** The values of the form, and what saves them. */
function useDealForm(props: DealDialogProps) {
  const { pipeline, deal, onClose } = props;
  const { opportunities, common } = useMessages();
  const { memberId, timezone } = usePlace().membership;
  const onError = useShowError();
  const save = useSaveDeal(deal?.id);
  const [values, setValues] = useState(() =>
    deal ? valuesOf(deal, timezone) : newValues(props, memberId),
  );
  const submit = () => {
    const { name, contactId, value, stageId, assignedTo, close } = values;
    const before = dayOf(deal?.expectedCloseDate ?? null, timezone);
    const isSameDay = close !== null && before?.compare(close) === 0;
    const body = {
      name: name.trim(),
      contactId: contactId ?? '',
      value,
      assignedTo,
      ...(!isSameDay && { expectedCloseDate: close && noonOf(close, timezone) }),
    };
    save.mutate(deal ? body : { ...body, pipelineId: pipeline.id, stageId }, {
      onSuccess() {
        showToast({ text: deal ? common.saved : opportunities.created, detail: name });
        onClose();
      },
      onError,
    });
  };
  return {
    values,
    set: (part: Partial<DealValues>) => setValues((before) => ({ ...before, ...part })),
    submit,
    isPending: save.isPending,
  };
}
