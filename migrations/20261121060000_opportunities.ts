import { defineMigration } from '#platform/database/migrate/migration.ts';

export const opportunities = defineMigration('20261121060000_opportunities', [
  `create table pipelines (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    key text not null,
    name text not null,
    position integer not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id, key)
  )`,
  `create table pipeline_stages (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    pipeline_id uuid not null,
    key text not null,
    name text not null,
    position integer not null,
    probability integer not null check (probability between 0 and 100),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (sub_account_id, id),
    unique (sub_account_id, pipeline_id, key),
    unique (sub_account_id, pipeline_id, id),
    foreign key (sub_account_id, pipeline_id) references pipelines (sub_account_id, id)
      on delete cascade
  )`,
  // A stage can be removed once it has no live opportunity: deleted opportunities lose their stage,
  // live ones must have one. The value is a double, as in JSON; times are epoch milliseconds.
  `create table opportunities (
    sub_account_id uuid not null references sub_accounts (id),
    id uuid not null,
    pipeline_id uuid,
    stage_id uuid,
    contact_id uuid not null,
    name text not null,
    value double precision,
    currency text not null,
    status text not null check (status in ('open', 'won', 'lost', 'abandoned')),
    assigned_to uuid,
    tags text[] not null default '{}',
    source text,
    expected_close_date bigint,
    lost_reason text check (lost_reason is null or status = 'lost'),
    custom_fields jsonb not null default '{}',
    closed_at bigint check ((closed_at is null) = (status = 'open')),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    deleted_at timestamptz(3),
    search_text text not null generated always as (fold_text(name)) stored,
    tag_keys text[] not null generated always as (fold_tags(tags)) stored,
    primary key (sub_account_id, id),
    constraint opportunities_stage_fkey foreign key (sub_account_id, pipeline_id, stage_id)
      references pipeline_stages (sub_account_id, pipeline_id, id)
      on delete set null (pipeline_id, stage_id),
    constraint opportunities_live_in_a_stage
      check (deleted_at is not null or (pipeline_id is not null and stage_id is not null)),
    constraint opportunities_contact_fkey foreign key (sub_account_id, contact_id)
      references contacts (sub_account_id, id),
    constraint opportunities_assigned_to_fkey foreign key (sub_account_id, assigned_to)
      references team_members (sub_account_id, id) on delete set null (assigned_to)
  )`,
  `create index opportunities_live on opportunities (sub_account_id, id) where deleted_at is null`,
  `create index opportunities_by_pipeline on opportunities (sub_account_id, pipeline_id, id)
   where deleted_at is null`,
  `create index opportunities_by_status on opportunities (sub_account_id, status, id)
   where deleted_at is null`,
  // Includes deleted ones, for the removal of a stage.
  `create index opportunities_by_stage on opportunities (sub_account_id, stage_id, id)`,
  `create index opportunities_by_contact on opportunities (sub_account_id, contact_id, id)
   where deleted_at is null`,
  `create index opportunities_by_assignee on opportunities (sub_account_id, assigned_to, id)
   where deleted_at is null and assigned_to is not null`,
  `create index opportunities_by_update on opportunities (sub_account_id, updated_at)
   where deleted_at is null`,
  `create index opportunities_by_search
   on opportunities using gin (sub_account_id, search_text gin_trgm_ops) where deleted_at is null`,
  `create index opportunities_by_tag on opportunities using gin (sub_account_id, tag_keys)
   where deleted_at is null and tag_keys <> '{}'`,
  // Covers a pipeline's summary.
  `create index opportunities_open
   on opportunities (sub_account_id, pipeline_id, stage_id, currency) include (value)
   where deleted_at is null and status = 'open'`,

  `create trigger opportunities_tally_inserts after insert on opportunities
   referencing new table as added for each statement execute function tally_inserts()`,
  `create trigger opportunities_tally_deletes after update of deleted_at on opportunities for each row
   when (old.deleted_at is null <> (new.deleted_at is null)) execute function tally_delete()`,
]);
