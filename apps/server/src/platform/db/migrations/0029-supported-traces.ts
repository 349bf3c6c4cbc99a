/** Audits that an owner requested, and traces that users sent to the operators. */
export const up = `
-- Passing such an audit says nothing about a node: the account that requested it may be the node's own.
alter table audits add column requested boolean not null default false;

create table trace_supports (
  id bigint generated always as identity primary key,
  trace_id text not null unique references traces on delete cascade,
  -- Of the sender; null for a visitor.
  user_id bigint references users on delete set null,
  -- Of the sender, kept for the daily limit.
  network text,
  lang text not null,
  text text not null,
  created_at timestamptz not null,
  closed_at timestamptz,
  closed_by text not null default '',
  note text not null default ''
);
create index trace_supports_age on trace_supports (created_at);
`
