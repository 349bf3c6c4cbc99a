/** Third-party replicas of all accounts are sent in turn, and each kind of work at each provider has its own queue. */
export const up = `
-- Replicas that wait to be sent are sent in this order. It is not a time before which nothing is sent.
alter table third_party_replicas add column turn timestamptz not null default now();
update third_party_replicas set turn = created_at;

-- The last turn that an account got.
create table third_party_turns (
  user_id bigint primary key references users on delete cascade,
  last timestamptz not null
);

drop index third_party_replicas_due;
drop index third_party_replicas_queue;
create index third_party_replicas_send on third_party_replicas (provider, turn) where state in ('queued', 'failed');
create index third_party_replicas_ask on third_party_replicas (provider, next_at) where state in ('inProgress', 'stored');
create index third_party_replicas_remove on third_party_replicas (provider, next_at) where state = 'removing';
create index third_party_replicas_unconfigured on third_party_replicas (provider) where reason = 'unconfigured';
`
