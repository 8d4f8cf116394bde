import { lockerOf } from '#platform/lock-live.ts';
import { Contact } from './contact.entity.ts';

export const lockContact = lockerOf<Contact>('contact', Contact);
