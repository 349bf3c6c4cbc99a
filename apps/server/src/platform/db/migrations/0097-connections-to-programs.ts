/** Console sessions that belong to a session or API key of the portal, and tickets for connections to programs. */
export const up = `
alter table console_sessions add column via text not null default 'console' check (via in ('console', 'session', 'key'));
-- Id of the session or API key; empty: none.
alter table console_sessions add column credential text not null default '';

create table connection_tickets (
  hash bytea primary key,
  session bytea not null references console_sessions on delete cascade,
  workload_id text not null references workloads on delete cascade,
  -- A command with its terminal, or a port.
  action jsonb not null,
  expires_at timestamptz not null
);
create index connection_tickets_end on connection_tickets (expires_at);
create index connection_tickets_session on connection_tickets (session);
create index connection_tickets_workload on connection_tickets (workload_id);
`
