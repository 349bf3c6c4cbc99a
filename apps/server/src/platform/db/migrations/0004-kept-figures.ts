/** Figures that are kept because everybody may ask for them; transfers of several parts; previews. */
export const up = `
-- What takes counting over whole tables. The scheduler counts in the background; whoever asks reads what was counted last.
create table node_figures (
  node_id text primary key,
  replicas bigint not null,
  uptime_30d double precision not null,
  audits_passed_7d bigint not null,
  audits_failed_7d bigint not null
);
create table network_figures (
  one boolean primary key default true check (one),
  assets bigint not null default 0,
  replicas bigint not null default 0,
  bytes_stored bigint not null default 0,
  bytes_transferred_24h bigint not null default 0,
  transfers_24h bigint not null default 0,
  audits_24h bigint not null default 0,
  audits_failed_24h bigint not null default 0,
  -- When they are counted again, by whichever server comes first.
  due_at timestamptz not null default '-infinity'
);
insert into network_figures default values;
create index replicas_stored on replicas (node_id) where state = 'stored';

-- A node reports a download in parts while it runs: the parts are one row for each node, and the first of them begins the transfer.
alter table transfers add column trace_id text;
alter table transfers add column begins boolean not null default true;
create unique index transfers_part on transfers (trace_id, from_node) where trace_id is not null;
create index transfers_kind on transfers (kind, id desc);
drop index transfers_at;
create index transfers_at on transfers (at) include (size, begins);

-- A look at a file: its bytes count, but it is no transfer that anybody lists.
alter table traces add column preview boolean not null default false;
create index traces_previews on traces (created_at) where preview;
alter table temp_files add column previews int not null default 0;

create index trashed_folders_item on trashed_folders (user_id, id);
create index assets_below on assets (user_id, folder_id, id);
`
