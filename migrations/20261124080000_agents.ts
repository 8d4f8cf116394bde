import { defineMigration } from '#platform/database/migrate/migration.ts';

export const agents = defineMigration('20261124080000_agents', [
  // The program that an agent calls through, as it names itself.
  `alter table audit_entries add column client text`,
  // Decisions per risk; null means the defaults.
  `alter table api_keys add column agent_policy jsonb`,

  // Successful writes of agents, whose repeats return the stored response. change_count is the number
  // of recent changes of the records right after the write: another number means another write.
  `create table agent_calls (
    sub_account_id uuid not null references sub_accounts (id),
    key_id uuid not null,
    call_hash text not null,
    records uuid[] not null,
    change_count integer not null,
    status integer not null,
    response text not null,
    called_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    primary key (sub_account_id, key_id, call_hash)
  )`,
  `create index agent_calls_expiry on agent_calls (expires_at)`,

  // Calls of agents that wait for the decision of a person. status and response are those of the call
  // once it has run.
  `create table agent_approvals (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    key_id uuid not null,
    client text not null,
    call_hash text not null,
    tool text not null,
    operation text not null,
    arguments jsonb not null,
    risk text not null,
    summary text not null,
    effects jsonb not null,
    decision text not null,
    decided_by text,
    decided_at timestamptz(3),
    response_status integer,
    response text,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    primary key (sub_account_id, id)
  )`,
  `create index agent_approvals_by_call on agent_approvals (sub_account_id, key_id, call_hash)`,
]);
