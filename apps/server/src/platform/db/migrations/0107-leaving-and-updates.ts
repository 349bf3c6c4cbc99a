/** Nodes that update themselves, and nodes that leave. */
export const up = `
-- Null: the program does not update itself.
alter table nodes add column updates_on boolean;
-- Why it could not update, and to which version; as the node says.
alter table nodes add column update_problem text check (update_problem in ('download', 'space', 'folder', 'not-ready'));
alter table nodes add column update_version text not null default '';
-- Its owner wants to switch it off: its copies move to other nodes.
alter table nodes add column leaving_since timestamptz;
`
