/** Versions of the settings of programs, so that an earlier one can be restored. */
export const up = `
create table workload_settings (
  workload_id text not null references workloads on delete cascade,
  -- Counts from 1 for each workload.
  revision int not null,
  template text not null,
  image text,
  command text[] not null,
  -- Encrypted and bound to the workload, as in workloads.
  env bytea not null,
  ports int[] not null,
  cpu int not null,
  memory bigint not null,
  storage bigint not null,
  -- The version that was restored.
  restored int,
  at timestamptz not null,
  primary key (workload_id, revision)
);

insert into workload_settings (workload_id, revision, template, image, command, env, ports, cpu, memory, storage, at)
select id, 1, template, image, command, env, ports, cpu, memory, storage, changed_at from workloads;
`
