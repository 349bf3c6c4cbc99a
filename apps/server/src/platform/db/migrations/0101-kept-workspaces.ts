/** Since when and until when a stopped workspace is kept, and the order that brings it back. */
export const up = `
alter table workspaces add column kept_from timestamptz, add column kept_until timestamptz, add column kept_order text;
update workspaces w set kept_from = w.changed_at, kept_until = o.kept_until, kept_order = o.id
from orders o where o.workspace_id = w.id and o.workspace = 'suspended' and w.state = 'suspended' and o.kept_until is not null;
`
