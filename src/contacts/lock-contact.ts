import { lockerOf } from '#platform/database/lock-live.ts';
import { Contact } from './contact.entity.ts';

export const lockContact = lockerOf<Contact>('contact', Contact);
