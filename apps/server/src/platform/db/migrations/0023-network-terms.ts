/** Columns and a state of the network get the names of the glossary. */
export const up = `
alter table replicas drop constraint replicas_state_check;
update replicas set state = 'unverified' where state = 'claimed';
alter table replicas add constraint replicas_state_check check (state in ('wanted', 'pulling', 'unverified', 'stored', 'lost', 'removed'));
drop index replicas_claimed;
create index replicas_unverified on replicas (node_id, changed_at) where state = 'unverified';
alter table replicas rename column doubted to suspect;
alter index replicas_doubted rename to replicas_suspect;
alter table replicas rename column proven to verified;

alter table contents rename column sole to sole_holder;
alter table contents rename column sole_nodes to sole_holder_nodes;
alter table contents rename column short to below_target;

alter table audits rename column given_at to assigned_at;

alter table nodes rename column told_away to offline_notified;
alter table nodes rename column told_at to offline_notified_at;
alter table nodes rename column told_back_at to online_notified_at;
alter index nodes_to_tell rename to nodes_offline_unnotified;
alter index nodes_told_away rename to nodes_offline_notified;
alter table nodes rename column roomy_at to space_freed_at;
alter table nodes rename column proved_at to proof_time;
`
