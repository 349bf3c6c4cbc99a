/** Roles, the operators' view of accounts, nodes and requests, and the record of who changed what. */
export const up = `
alter table users drop constraint users_role_check;
alter table users add constraint users_role_check check (role in ('test', 'user', 'enterprise', 'operator'));
-- A test account has the free plan and no more; an enterprise account what a VIP has, in the amounts of its contract.
alter table users add constraint users_plan_of_role check (case role when 'test' then not vip when 'enterprise' then vip else true end);
-- Since when the account and its keys let nobody in; null: they do.
alter table users add column locked_at timestamptz;
alter table users add column lock_reason text not null default '';
create index users_operators on users (id) where role = 'operator';
create index users_locked on users (id) where locked_at is not null;

-- Since when the operators have the node out of service; null: it serves.
alter table nodes add column out_since timestamptz;
alter table nodes add column note text not null default '';

alter table leads add column handled_at timestamptz;
alter table leads add column handled_by text not null default '';
alter table leads add column note text not null default '';
create index leads_open on leads (id desc) where handled_at is null;

-- What was changed, and by whom. A row outlives what it tells of, so it refers to nothing, and nobody changes it afterwards.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- Null: the system itself.
  actor_user_id bigint,
  -- The actor's public name then.
  actor text not null default '',
  -- proof: no session yet, but the account was proved to be the actor's (a mailed code, a wallet).
  via text not null check (via in ('session', 'key', 'proof', 'system')),
  -- The id of the session or key.
  credential text not null default '',
  ip text not null default '',
  action text not null,
  -- Of what kind, and which: user:u…, node:e_…
  subject text not null,
  detail jsonb not null default '{}',
  result text not null check (result in ('done', 'refused'))
);
create index audit_log_at on audit_log (at desc, id desc);
create index audit_log_actor on audit_log (actor, at desc, id desc);
create index audit_log_action on audit_log (action, at desc, id desc);
create index audit_log_subject on audit_log (subject, at desc, id desc);

create function audit_log_stands() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is only added to';
end $$;
create trigger audit_log_stands before update or delete or truncate on audit_log for each statement execute function audit_log_stands();
`
