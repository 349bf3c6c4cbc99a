/** Folders of accounts' storages in programs. */
export const up = `
create table workload_folders (
  workload_id text primary key references workloads (id) on delete cascade,
  -- No reference: the folder may be deleted meanwhile.
  folder_id bigint not null,
  -- Of the folder when it was chosen.
  name text not null,
  path text not null,
  -- No reference: the key may be revoked meanwhile.
  key_id bigint not null,
  sealed_key bytea not null,
  -- By path: the CIDs of the files that the storage and the program both had last.
  base jsonb not null default '{}',
  -- By path: files that an interrupted copy was copying.
  copying jsonb not null default '{}',
  -- How often its files were asked for, and which of these was done last.
  fill_asked int not null default 1,
  fill_done int not null default 0,
  filled_at timestamptz,
  save_asked int not null default 0,
  save_done int not null default 0,
  saved_at timestamptz,
  saved_files bigint not null default 0,
  saved_bytes bigint not null default 0,
  -- The start of the run after whose end its files were asked to be saved.
  saved_run timestamptz,
  detach_wanted boolean not null default false,
  -- When its files are saved, if they were asked to be; null: not until somebody asks again.
  due_at timestamptz,
  -- Failures in a row.
  tries int not null default 0,
  -- Who copies at the moment.
  lease uuid,
  leased_until timestamptz,
  -- Whether it is copied into the program at the moment, instead of saved.
  filling boolean not null default false,
  problem text not null default '' check (
    problem in ('', 'key', 'folder', 'quota', 'traffic', 'large', 'many', 'away', 'changing', 'failed')),
  note text not null default '',
  skipped jsonb not null default '[]',
  skipped_count int not null default 0
);
create index workload_folders_due on workload_folders (due_at) where due_at is not null;
`
