/** Nodes that update themselves, and nodes that leave. */
export const up = `
-- Null: the program does not update itself.
alter table nodes add column updates_on boolean;
-- Why it could not update, and to which version; as the node says.
alter table nodes add column update_problem text check (update_problem in ('download', 'space', 'folder', 'not-ready'));
alter table nodes add column update_version text not null default '';
-- Its owner wants to switch it off: its copies move to other nodes.
alter table nodes add column leaving_since timestamptz;
-- Contents that still needed it at its last heartbeat; 0: it can be switched off.
alter table nodes add column leaving_remaining int check ((leaving_remaining is null) = (leaving_since is null));
-- When it last began to leave: moving copies costs the others traffic.
alter table nodes add column left_last timestamptz;
`
