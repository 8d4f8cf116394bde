import { defineMigration } from '#platform/database/migrate/migration.ts';

export const receipts = defineMigration('20261121090000_receipts', [
  // Receipts that arrived before the id of their message was stored; each applies once.
  `create table message_receipts (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    channel text not null check (channel in
      ('sms', 'email', 'messenger', 'instagram', 'gmail', 'live_chat', 'social_dm')),
    external_id text not null,
    status text not null check (status in ('sent', 'delivered', 'read', 'failed', 'bounced')),
    error_code text,
    error_message text,
    created_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    constraint message_receipts_once unique (sub_account_id, channel, external_id, status)
  )`,

  // Indexes to find the contact of an inbound message: by phone, additional phone, or earlier
  // sender.
  `create index contacts_by_phone on contacts (sub_account_id, phone)
   where deleted_at is null and phone is not null`,
  `create index contacts_by_additional_phone on contacts
   using gin (sub_account_id, additional_phones)
   where deleted_at is null and additional_phones <> '{}'`,
  `create index messages_by_sender on messages (sub_account_id, channel, from_address, id)
   where direction = 'inbound'`,
]);
