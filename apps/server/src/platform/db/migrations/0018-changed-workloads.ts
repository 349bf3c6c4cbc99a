/** What was changed of a workload after it was deployed, and whether it ever was on its cluster. */
export const up = `
-- How often its image, variables or ports were changed.
alter table workloads add column edited int not null default 0;
-- One that was refused before it ever ran takes nothing of its workspace.
alter table workloads add column made boolean not null default false;
update workloads set made = failure not in ('image', 'full');
`
