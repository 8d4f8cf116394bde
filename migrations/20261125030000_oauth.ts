import { defineMigration } from '#platform/database/migrate/migration.ts';

export const oauth = defineMigration('20261125030000_oauth', [
  // The key of a grant: its value is an access token, which ends before the grant does.
  `alter table api_keys add column token_expires_at timestamptz(3)`,
  `alter table api_keys drop constraint api_keys_kind_check`,
  `alter table api_keys add constraint api_keys_kind_check check (
     kind in ('live', 'test', 'agency_live', 'agency_test', 'oauth_live', 'oauth_test'))`,
  // Servers drop what they cached about a key when its policy changes, too.
  `drop trigger api_keys_announce on api_keys`,
  `create trigger api_keys_announce
   after insert or delete or update of hash, previous_hash, previous_expires_at, scopes,
     rate_read, rate_write, agent_policy, expires_at, token_expires_at, revoked_at on api_keys
   for each statement execute function announce_change()`,

  // What a user allowed a program. The id is also that of the API key, which begins to exist when the
  // program redeems the code.
  `create table oauth_grants (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    user_id uuid not null references users (id) on delete cascade,
    client_id text not null,
    client_name text not null,
    redirect_uri text not null,
    code_challenge text not null,
    scopes text[] not null,
    agent_policy jsonb not null,
    code_hash text not null,
    code_expires_at timestamptz(3) not null,
    redeemed_at timestamptz(3),
    created_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id, code_hash)
  )`,
  `create index oauth_grants_of_user on oauth_grants (user_id)`,

  // Used ones are kept until they expire: their reuse ends the grant. The seed derives the next tokens
  // again for a client that lost the response.
  `create table oauth_refresh_tokens (
    sub_account_id uuid not null references sub_accounts (id),
    token_hash text not null,
    grant_id uuid not null,
    seed text,
    issued_at timestamptz(3) not null,
    used_at timestamptz(3),
    expires_at timestamptz(3) not null,
    primary key (sub_account_id, token_hash),
    foreign key (sub_account_id, grant_id)
      references oauth_grants (sub_account_id, id) on delete cascade
  )`,
  `create index oauth_refresh_tokens_of_grant on oauth_refresh_tokens (sub_account_id, grant_id)`,
  `create index oauth_refresh_tokens_expiry on oauth_refresh_tokens (expires_at)`,
]);
