/** Audits come at random times, from several addresses, and a failed one counts when another auditor confirms it. */
export const up = `
-- When the node is audited next; null: as soon as possible.
alter table nodes add column next_audit_at timestamptz;
-- Whether it passes requests of audits on to other nodes.
alter table nodes add column relays boolean not null default false;
-- The node that passes the audit on; null: the auditor asks the audited node itself.
alter table audits add column via_id text;
-- A random number, 0..1: how long the audits of a copy wait.
alter table replicas add column patience real;
alter table replicas alter column patience set default random();
-- Who made the last of its failed audits, and through which node; '' unless it is suspect.
alter table replicas add column suspected_by text not null default '';
alter table replicas add column suspected_via text not null default '';
`
