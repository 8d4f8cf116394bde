import { usePlace } from '../../api/session.ts';
import { useAppointmentTypes } from '../../calendar/schedule-queries.ts';
import { useMessages } from '../../i18n/messages.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import styles from './booking-links.module.css';

/** The address of the booking page of each appointment type. */
export function BookingLinks() {
  const { forms } = useMessages();
  const { subAccountId } = usePlace().membership;
  const { data: types = [] } = useAppointmentTypes();
  if (types.length === 0) {
    return null;
  }
  return (
    <section className={styles.links} aria-labelledby="booking-links">
      <h2 id="booking-links">{forms.bookingPages}</h2>
      <ul role="list">
        {types.map(({ id, name, slug }) => {
          const href = `${location.origin}/book/${subAccountId}/${slug}`;
          return (
            <li key={id} className={styles.row}>
              <CopyField label={name} value={href} />
              <a href={href} target="_blank" rel="noopener" aria-label={forms.openPageOf(name)}>
                {forms.openPage}
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
