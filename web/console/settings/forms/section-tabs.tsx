import { useLocale } from 'react-aria-components/I18nProvider';
import { usePlace } from '../../api/session.ts';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.tsx';
import {
  FRESH_CALENDAR,
  completeCalendar,
  servicesOf,
  useCalendarFields,
  useCurrency,
} from './calendar-fields.ts';
import { EntriesTab } from './entries-tab.tsx';
import { textOf, type Entry } from './entry.ts';
import { useServiceFields } from './field-lists.ts';
import { BookingLinks, FormLinks } from './page-links.tsx';
import { questionsOf, useFormFields, useFreshForm, withFieldNames } from './form-fields.ts';
import { sectionMessages } from './section-messages.ts';
import { Submissions } from './submissions.tsx';

const namesOf = (entries: readonly Entry[], member: string): string =>
  entries.map((entry) => textOf(entry[member])).join(', ');

/** Calendars: members, services, opening hours, and the pages on which customers book. */
export function CalendarsTab() {
  const { agency, calendar, settings } = useMessages();
  const texts = sectionMessages();
  const { timezone } = usePlace().membership;
  const fields = useCalendarFields(useLocale().locale);
  const removeTextOf = (entry: Entry) => {
    const services = namesOf(servicesOf(entry), 'name');
    return services === '' ? texts.removeEmptyCalendar : texts.removeCalendar(services);
  };
  return (
    <>
      <EntriesTab
        title={calendar.title}
        section="calendars"
        fields={fields}
        add={texts.newCalendar}
        fresh={() => FRESH_CALENDAR}
        complete={completeCalendar}
        removeTextOf={removeTextOf}
        empty={{ title: texts.noCalendars, text: texts.noCalendarsText }}
        columns={[
          { id: 'name', title: settings.name, cell: ({ name }) => name },
          {
            id: 'services',
            title: texts.services,
            cell: (row) => namesOf(servicesOf(row), 'name') || '–',
            isSecondary: true,
          },
          {
            id: 'timezone',
            title: agency.timezone,
            cell: (row) => textOf(row['timezone']) || timezone,
            isSecondary: true,
          },
        ]}
      />
      <BookingLinks />
    </>
  );
}

/** The price list that booking assistants read. */
export function PriceListTab() {
  const { forms, settings } = useMessages();
  const format = useFormat();
  const currency = useCurrency();
  return (
    <EntriesTab
      title={forms.priceList}
      section="serviceTypes"
      fields={useServiceFields(currency)}
      add={forms.newService}
      removeTextOf={() => forms.removeTexts.serviceTypes}
      empty={{ title: forms.empty }}
      columns={[
        { id: 'name', title: settings.name, cell: ({ name }) => name },
        {
          id: 'category',
          title: forms.category,
          cell: (row) => textOf(row['category']),
          isSecondary: true,
        },
        {
          id: 'price',
          title: forms.price,
          isNumber: true,
          cell: (row) => format.money(Number(row['price']), textOf(row['currency']) || currency),
        },
      ]}
    />
  );
}

/** Public forms. */
export function FormsTab() {
  const { forms, settings } = useMessages();
  const texts = sectionMessages();
  return (
    <>
      <EntriesTab
        title={forms.forms}
        section="forms"
        fields={useFormFields()}
        add={texts.newForm}
        fresh={useFreshForm()}
        complete={withFieldNames}
        removeTextOf={(form) => texts.removeForm(namesOf(questionsOf(form), 'label'))}
        empty={{ title: texts.noForms, text: texts.noFormsText }}
        columns={[
          { id: 'name', title: settings.name, cell: ({ name }) => name },
          {
            id: 'fields',
            title: texts.fields,
            cell: (form) => namesOf(questionsOf(form), 'label'),
          },
        ]}
      />
      <FormLinks />
      <Submissions />
    </>
  );
}
