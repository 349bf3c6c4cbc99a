/** What programs print is kept in numbered pieces while they run, so that no line is lost or shown twice. */
export const up = `
create table workload_log_heads (
  workload_id text primary key references workloads on delete cascade,
  -- Number of the next line, from 1.
  next bigint not null default 1,
  -- Where to go on: the time of the last line, and how many lines of that millisecond are kept. Null: a new container.
  last_at timestamptz,
  last_count int not null default 0,
  collect_at timestamptz not null,
  -- Seconds between two looks; grows while nothing is printed.
  pause int not null default 10
);
create index workload_log_heads_due on workload_log_heads (collect_at);

create table workload_log_parts (
  workload_id text not null references workloads on delete cascade,
  first bigint not null,
  count int not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  bytes int not null,
  lines text not null,
  primary key (workload_id, first)
);

insert into workload_log_parts (workload_id, first, count, from_at, to_at, bytes, lines)
select workload_id, 1, length(lines) - length(replace(lines, E'\\n', '')), at - interval '7 days', at, octet_length(lines), lines
from workload_logs where lines like E'%\\n%';
insert into workload_log_heads (workload_id, next, collect_at, last_at)
select workload_id, 1 + count, to_at, to_at from workload_log_parts;
drop table workload_logs;
`
