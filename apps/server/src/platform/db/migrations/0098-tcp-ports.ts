/** Ports of the ingress for programs that speak TCP. */
export const up = `
alter table workload_addresses drop constraint workload_addresses_access_check,
  add constraint workload_addresses_access_check check (access in ('none', 'account', 'password', 'public', 'tcp'));
create table tcp_ports (
  -- Of the ingress.
  number int primary key,
  -- No reference: the port stays with its program for a while after its end, so that its clients do not reach a stranger's.
  workload_id text not null,
  -- Of the program.
  port int not null,
  taken_at timestamptz not null,
  -- When it was seen to be unused; null: it is in use.
  unused_at timestamptz,
  unique (workload_id, port)
);
`
