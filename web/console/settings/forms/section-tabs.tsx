import { useLocale } from 'react-aria-components/I18nProvider';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.tsx';
import { BookingLinks } from './booking-links.tsx';
import { EntriesTab } from './entries-tab.tsx';
import { textOf } from './entry.ts';
import { useCalendarFields, useFormFields, useServiceFields } from './field-lists.ts';

/** Calendars: opening hours, booking rules, and the pages on which customers book. */
export function CalendarsTab() {
  const { agency, calendar, settings } = useMessages();
  const fields = useCalendarFields(useLocale().locale);
  return (
    <>
      <EntriesTab
        title={calendar.title}
        section="calendars"
        fields={fields}
        columns={[
          { id: 'name', title: settings.name, cell: ({ name }) => name },
          {
            id: 'timezone',
            title: agency.timezone,
            cell: (row) => textOf(row['timezone']),
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
  return (
    <EntriesTab
      title={forms.priceList}
      section="serviceTypes"
      fields={useServiceFields()}
      add={forms.newService}
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
          cell: (row) => format.money(Number(row['price']), textOf(row['currency']) || 'EUR'),
        },
      ]}
    />
  );
}

/** Public forms. */
export function FormsTab() {
  const { forms, settings } = useMessages();
  return (
    <EntriesTab
      title={forms.forms}
      section="forms"
      fields={useFormFields()}
      columns={[
        { id: 'name', title: settings.name, cell: ({ name }) => name },
        { id: 'key', title: forms.key, cell: ({ key }) => key, isSecondary: true },
      ]}
    />
  );
}
